#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/dumps/msit/layout.h"
#include "core/dumps/msit/pairing.h"
#include "core/tensors/archive/tensor_archive.h"

/// The comparison of `msit llm compare` 8.2.0, made again.
namespace ulp::compat::msit {

/// One of the two dumps: the first process of it, as msit takes it.
struct Side {
  dumps::msit::Process process;
  bool isAtb = false;
};

/// Errors: NotFound, InvalidArgument where `path` is neither a dump of ATB nor of PyTorch, those of
/// openTorchProcess() and openAtbProcess().
[[nodiscard]] Result<Side> openSide(const std::filesystem::path& path);

[[nodiscard]] const dumps::msit::TopologyNode& nodeOf(const Side& side,
                                                      const dumps::msit::NodeId& id);

/// Files of a node in a token's folder, sorted; empty where it was not recorded.
[[nodiscard]] std::vector<std::filesystem::path> filesOf(const Side& side,
                                                         const dumps::msit::TokenFolder& token,
                                                         const dumps::msit::NodeId& node,
                                                         const dumps::msit::Place& place);

/// Lists the same file of every device beside the process, itself included, by name.
[[nodiscard]] std::vector<std::filesystem::path> ofAllDevices(const Side& side,
                                                              const std::filesystem::path& file);

/// Resolves a path to where the file really lies, as reports name it.
[[nodiscard]] std::string realPath(const std::filesystem::path& file);
/// "2", "warmup"
[[nodiscard]] std::string tokenText(const dumps::msit::TokenFolder& token);

/// The built-in mapping with what a user's `op_mapping_file.json`, or the one in a folder, adds or
/// replaces: {"AtbType[_outtensorN]": "TorchType[_output_N]" or a list of these}. An empty path:
/// the built-in one. Errors: NotFound, Io, CorruptData (`file: key: what`).
[[nodiscard]] Result<dumps::msit::OperationMapping> operationMapping(
    const std::filesystem::path& path);

}  // namespace ulp::compat::msit
