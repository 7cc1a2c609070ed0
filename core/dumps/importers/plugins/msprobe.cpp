#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/dumps/importers/importer.h"
#include "core/dumps/model/checksum.h"
#include "core/dumps/msprobe/dump_json.h"
#include "core/dumps/msprobe/process_folder.h"

namespace ulp::dumps {
namespace {

namespace fs = std::filesystem;
using msprobe::DumpHead;
using msprobe::ProcessFolder;

std::string_view generation(const ProcessFolder& process, const DumpHead& head) {
  if (process.process.starts_with("proc") || head.hasNumberedGradients) {
    return " 26.x";
  }
  return process.process == "rank" || head.hasBareGradients ? " 8.x" : "";
}

std::string_view contentOf(const DumpHead& head) {
  if (head.task == "tensor") {
    return "tensors";
  }
  if (head.task == "structure") {
    return "structure only";
  }
  return head.checksum.empty() ? "statistics" : "checksums";
}

/// msprobe calls both md5: CRC-32 as 8 digits, and since 26.x an exclusive or as 0x and 16.
std::string checksumKindOf(const DumpHead& head) {
  if (head.checksum.empty()) {
    return {};
  }
  return std::string(head.checksum.starts_with("0x") ? kXorOfBytes : kCrc32OfBytes);
}

/// Of the first process that tells most of them all: one that was cut off before its first entry
/// says neither which msprobe wrote it nor what its checksums are.
std::optional<DumpHead> firstHead(const std::vector<ProcessFolder>& processes) {
  std::optional<DumpHead> first;
  for (const ProcessFolder& process : processes) {
    std::optional<DumpHead> head = msprobe::readDumpHead(process.json);
    if (head && (!first || head->holdsEntries)) {
      first = std::move(head);
    }
    if (first && first->holdsEntries) {
      break;
    }
  }
  return first;
}

/// No other tool has a file of this name at such a place, or it was asked for by its name.
bool isUnmistakable(const ProcessFolder& process, const fs::path& opened) {
  const std::string file = process.json.filename().string();
  if (file != "dump.json" && file != "debug.json") {
    return false;
  }
  const auto isBeside = [&](const char* name) {
    std::error_code ignored;
    return fs::exists(process.json.parent_path() / name, ignored);
  };
  return !process.step.empty() || !process.process.empty() || opened.filename() == file ||
         isBeside(msprobe::kTensorFolder) || isBeside("stack.json") || isBeside("construct.json");
}

Claim recogniseMsprobe(const fs::path& path) {
  const std::vector<ProcessFolder> processes = msprobe::findProcesses(path);
  if (firstHead(processes)) {
    return Claim::Certain;
  }
  const bool isDamaged = std::ranges::any_of(processes, [&](const ProcessFolder& process) {
    return isUnmistakable(process, path) && msprobe::isStartBroken(process.json);
  });
  return isDamaged ? Claim::Damaged : Claim::No;
}

/// Why none of them is a dump.
Error problemOf(const std::vector<ProcessFolder>& processes, const std::stop_token& stop) {
  for (const ProcessFolder& process : processes) {
    if (auto read = msprobe::readDumpJson(process.json, stop); !read) {
      return std::move(read.error());
    }
  }
  return {ErrorCode::CorruptData,
          fmt::format("{}: is no dump of msprobe: there is no task and level at its start",
                      processes.front().json.string())};
}

Result<Dump> openMsprobe(const fs::path& path, const std::stop_token& stop) {
  const std::vector<ProcessFolder> processes = msprobe::findProcesses(path);
  if (processes.empty()) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: holds no dump.json or debug.json, nor folders step*, rank* or "
                            "proc* with one",
                            path.string()));
  }
  const std::optional<DumpHead> head = firstHead(processes);
  if (!head) {
    return tl::unexpected<Error>(problemOf(processes, stop));
  }
  Dump dump{.format = fmt::format(
                "msprobe{}, {}", generation(processes.front(), *head), contentOf(*head)),
            .checksumKind = checksumKindOf(*head)};
  if (!head->level.empty()) {
    dump.format += fmt::format(", level {}", head->level);
  }
  for (const ProcessFolder& process : processes) {
    dump.units.push_back({.axes = {.step = process.stepNumber, .rank = process.rank},
                          .path = process.json.parent_path(),
                          .open = [process](const UnitInfo& /*unit*/,
                                            const std::stop_token& stopReading,
                                            const Progress& progress) {
                            return msprobe::openProcess(process, stopReading, progress);
                          }});
  }
  return dump;
}

}  // namespace

void registerMsprobe(ImporterRegistry& registry) {
  registry.add({"msprobe", "dump of msprobe", recogniseMsprobe, openMsprobe, {"msprobe", 10}});
}

}  // namespace ulp::dumps
