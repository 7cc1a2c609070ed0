#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/text/sentence.h"
#include "core/dumps/msit/topology.h"

/// Where msit llm puts what it dumps: `torch_tensors/{device}_{PID}/{token}/{module}/` of PyTorch,
/// `tensors/{device}_{PID}/{TID}/{order}_{type}/…/{before,after}/` of ATB.
namespace ulp::dumps::msit {

/// In place of a token: what ran before the first one, to warm up.
inline constexpr std::int64_t kWarmUp = -1;

/// What was recorded of one token.
struct TokenFolder {
  std::int64_t token = 0;
  std::filesystem::path path{};
  /// The folder holds two tokens, and this one is of the operations of this model alone; kNone: of
  /// all.
  std::size_t model = kNone;
};

/// A `{device}_{PID}` folder, as found.
struct ProcessFolder {
  std::filesystem::path path;
  std::string token{};  ///< name of the folder below it that was asked for; empty: all
};

/// A `{device}_{PID}` folder, opened.
struct Process {
  std::filesystem::path path;
  /// PyTorch: one. ATB: one, or those of prefill and decode, which share a count of operations.
  std::vector<Topology> models;
  std::vector<TokenFolder> tokens;  ///< by token, the warm-up at the end
  bool isOneToken = false;          ///< the path named it
  /// Among those of its dump, also those that could not be opened; nothing for one that is alone.
  std::optional<std::int64_t> rank{};
};

/// Those of PyTorch that `path` stands for, by name: one of them, a token below, `torch_tensors`,
/// the dump, or a folder with one dump. Recognised by `model_tree.json`. Empty: none.
[[nodiscard]] std::vector<ProcessFolder> findTorchProcesses(const std::filesystem::path& path);
/// The same of ATB, recognised by `model/{PID}/*.json` beside `tensors`.
[[nodiscard]] std::vector<ProcessFolder> findAtbProcesses(const std::filesystem::path& path);

/// Errors: those of readModelTree(); NotFound where no token was recorded.
[[nodiscard]] Result<Process> openTorchProcess(const ProcessFolder& folder);
/// Errors: those of readAtbTopology(); NotFound without a structure or a token.
[[nodiscard]] Result<Process> openAtbProcess(const ProcessFolder& folder);

using ProcessPtr = std::shared_ptr<const Process>;

/// Opens all of them; one that cannot be opened becomes a note as long as another can. Errors: that
/// of the first one, NotFound where there are none.
[[nodiscard]] Result<std::vector<ProcessPtr>> openProcesses(
    const std::filesystem::path& dump,
    const std::vector<ProcessFolder>& folders,
    Result<Process> (*open)(const ProcessFolder& folder),
    std::vector<Sentence>& notes);

/// Reads what was recorded of a token of a process.
using ReadToken = Result<DumpUnitPtr> (*)(const Process& process,
                                          const TokenFolder& token,
                                          const UnitAxes& axes,
                                          const std::stop_token& stop,
                                          const Progress& progress);
/// The unit of a token, which `read` reads. `token` is an element of `process->tokens`: the unit
/// keeps a reference to it, and the process alive.
[[nodiscard]] UnitInfo tokenUnit(const ProcessPtr& process,
                                 const TokenFolder& token,
                                 ReadToken read);

/// The number of each one's device, or its place where these do not tell them apart; nothing for a
/// process that is alone.
[[nodiscard]] std::vector<std::optional<std::int64_t>> ranksOf(
    const std::vector<std::filesystem::path>& processes);

/// Number of the device in front of the PID: "cuda0_1234" and "0_1234" -> 0; nothing for
/// "cpu_1234".
[[nodiscard]] std::optional<std::int64_t> deviceNumber(const std::filesystem::path& process);

}  // namespace ulp::dumps::msit
