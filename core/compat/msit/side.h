#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/compat/msit/pairing.h"
#include "core/dumps/msit/layout.h"
#include "core/tensors/tensor_archive.h"

namespace ulp::compat::msit {

/// One of the two dumps: the first process of it, as msit takes it.
struct Side {
  dumps::msit::Process process;
  bool isAtb = false;
};

/// Errors: NotFound, InvalidArgument where `path` is neither a dump of ATB nor of PyTorch, those of
/// openTorchProcess() and openAtbProcess().
[[nodiscard]] Result<Side> openSide(const std::filesystem::path& path);

[[nodiscard]] const dumps::msit::TopologyNode& nodeOf(const Side& side, const NodeId& id);

/// Files of a node in a token's folder, sorted; empty where it was not recorded.
[[nodiscard]] std::vector<std::filesystem::path> filesOf(const Side& side,
                                                         const dumps::msit::TokenFolder& token,
                                                         const NodeId& node,
                                                         const Place& place);

/// The same file of every device beside the process, itself included, by name.
[[nodiscard]] std::vector<std::filesystem::path> ofAllDevices(const Side& side,
                                                              const std::filesystem::path& file);

/// Where a file really lies, as reports name it.
[[nodiscard]] std::string realPath(const std::filesystem::path& file);
/// "2", "warmup"
[[nodiscard]] std::string tokenText(const dumps::msit::TokenFolder& token);

/// A tensor of a dump and what torch would call its type.
struct DumpedTensor {
  tensors::Tensor tensor;
  std::string dtype;  ///< "torch.float16"
};
/// `.pth` or `.bin`. Errors: those of readTorchTensor() and readAtbTensor().
[[nodiscard]] Result<DumpedTensor> readDumped(const std::filesystem::path& file);

}  // namespace ulp::compat::msit
