#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ulp::engine {

struct DeviceInfo {
  std::string id;    ///< "cpu", "cuda:0"
  std::string name;  ///< "AMD EPYC …", "NVIDIA H200"
  std::uint64_t memoryBytes = 0;
  std::string note;  ///< why it cannot be used, or what is slower than it could be; empty: fine
  /// Of a CUDA device what may change its bits: compute_capability, multiprocessors, driver,
  /// cuda_of_driver, cuda, cublas, cudnn, and variables of the environment by their own names.
  std::map<std::string, std::string> facts{};
  /// Its driver is there, whether it lists the device or not: who gets another is told the note.
  bool hasDriver = false;
  /// Of a CUDA device "GPU-…", of a part of one "MIG-…", as NVIDIA's tools name it; empty: not
  /// known.
  std::string uuid{};
};

struct FamilyInfo {
  std::string id;                              ///< "llama"
  std::vector<std::string> architectures;      ///< names in config.json: "LlamaForCausalLM"
  std::vector<std::string> ggufArchitectures;  ///< general.architecture: "llama"
};

}  // namespace ulp::engine
