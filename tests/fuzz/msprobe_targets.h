#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/dumps/msit/operation_statistics.h"
#include "core/dumps/msprobe/call_stacks.h"
#include "core/dumps/msprobe/compare_json.h"
#include "core/dumps/msprobe/dump_json.h"
#include "core/dumps/msprobe/entry_name.h"
#include "tests/fuzz/folder_targets.h"
#include "tests/fuzz/fuzz_input.h"

/// What the fuzzers do with the files of msprobe, one by one.
namespace ulp::dumps::msprobe {

/// What comes out of dump.json must hold together.
inline void fuzzDumpJson(const std::uint8_t* data, std::size_t size) {
  const auto dump = parseDumpJson(fuzzText(data, size), "dump.json");
  if (!dump) {
    return;
  }
  std::size_t records = 0;
  for (const EntryRecords& entry : dump->entries) {
    require(entry.first == records);
    records += entry.count;
    static_cast<void>(parseEntryName(entry.name));
  }
  require(records == dump->records.size());
  for (const Record& record : dump->records) {
    require(record.fileName.find('/') == std::string::npos);
  }
}

/// stack.json
inline void fuzzCallStacks(const std::uint8_t* data, std::size_t size) {
  const FuzzFolder folder;
  folder.write("stack.json", fuzzText(data, size));
  const auto stacks = readCallStacks(folder.path() / "stack.json");
  require(stacks || !stacks.error().message().empty());
  if (stacks) {
    require(stacks->byEntry.size() == 0 || !stacks->stacks.empty());
  }
}

/// construct.json
inline void fuzzConstruct(const std::uint8_t* data, std::size_t size) {
  const FuzzFolder folder;
  folder.write("construct.json", fuzzText(data, size));
  const auto construct = readConstruct(folder.path() / "construct.json");
  require(construct || !construct.error().message().empty());
  if (construct) {
    require(construct->calls.size() == construct->places.size());
    for (const Construct::Call& call : construct->calls) {
      require(construct->find(call.name) == &call);
    }
  }
}

/// compare.json, beside the folders "a" and "b".
inline void fuzzCompareJson(const std::uint8_t* data, std::size_t size) {
  const FuzzFolder folder;
  folder.write("a/dump.json", "{}");
  folder.write("b/dump.json", "{}");
  folder.write("compare.json", fuzzText(data, size));
  const auto paths = readCompareJson(folder.path() / "compare.json");
  require(paths || !paths.error().message().empty());
  // What can be read is one.
  require(!paths || isCompareJson(folder.path() / "compare.json"));
}

/// statistic.csv of the ATB probe
inline void fuzzOperationStatistics(const std::uint8_t* data, std::size_t size) {
  const FuzzFolder folder;
  folder.write("statistic.csv", fuzzText(data, size));
  const auto table = msit::readOperationStatistics(folder.path() / "statistic.csv");
  require(table || !table.error().message().empty());
  if (table) {
    for (const msit::OperationStatistics& tensor : *table) {
      require(!tensor.operation.empty());
    }
  }
}

}  // namespace ulp::dumps::msprobe
