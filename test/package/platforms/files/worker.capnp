using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (services = [(name = "main", worker = .main)]);

const main :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    (name = "programs.js", esModule = embed "programs.js"),
  ],
  compatibilityDate = "2026-01-01",
);
