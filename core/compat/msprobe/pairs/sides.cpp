#include "core/compat/msprobe/pairs/sides.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <thread>
#include <utility>

#include "core/base/text/ascii_lower.h"
#include "core/dumps/model/folders.h"
#include "core/dumps/msprobe/python_text.h"

namespace ulp::compat::msprobe {
namespace {

namespace fs = std::filesystem;
using dumps::msprobe::DumpJson;
using dumps::msprobe::Record;
using dumps::msprobe::Scalar;
using dumps::msprobe::ScalarKind;

bool isNan(const Scalar& scalar) {
  if (scalar.kind == ScalarKind::Float) {
    return std::isnan(scalar.number);
  }
  return asciiLower(scalar.text) == "nan";
}

/// Statistics that are NaN become the text "Nan".
void nameNans(DumpJson& dump) {
  for (Record& record : dump.records) {
    for (Scalar& statistic : record.statistics) {
      if (isNan(statistic)) {
        statistic = textCell("Nan");
      }
    }
  }
}

using RecordRows = std::vector<Record*>;  ///< of the table; null: the words "N/A"

/// What a column of the table holds.
struct Column {
  bool hasWord = false;
  bool hasFloat = false;
};

Column columnOf(const RecordRows& rows, std::size_t statistic) {
  Column column;
  for (const Record* row : rows) {
    const bool isNumber = row != nullptr && row->statistics[statistic].isNumber();
    column.hasWord |= !isNumber;
    column.hasFloat |= isNumber && row->statistics[statistic].kind == ScalarKind::Float;
  }
  return column;
}

/// As pandas does: in a column of numbers alone one float makes floats of the integers, and where
/// all four columns are such, one in any of them.
void widenIntegers(const RecordRows& rows) {
  std::array<Column, 4> columns{};
  for (std::size_t each = 0; each < columns.size(); ++each) {
    columns[each] = columnOf(rows, each);
  }
  const bool hasWord = std::ranges::any_of(columns, &Column::hasWord);
  const bool hasFloat = std::ranges::any_of(columns, &Column::hasFloat);
  for (std::size_t each = 0; each < columns.size(); ++each) {
    if (columns[each].hasWord || !(hasWord ? columns[each].hasFloat : hasFloat)) {
      continue;
    }
    for (Record* row : rows) {
      row->statistics[each] = numberCell(row->statistics[each].number);
    }
  }
}

void widenIntegers(Sides& sides) {
  RecordRows targets;
  RecordRows goldens;
  for (const Pair& pair : sides.pairs) {
    targets.push_back(&sides.target.records[pair.target]);
    goldens.push_back(pair.golden == dumps::kNone ? nullptr : &sides.golden.records[pair.golden]);
  }
  widenIntegers(targets);
  widenIntegers(goldens);
}

Result<Mode> modeOf(const DumpJson& target, const DumpJson& golden) {
  const auto refuse = [&](const std::string& why) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{} and {}: {}", target.path.string(), golden.path.string(), why));
  };
  if (target.task != golden.task) {
    return refuse(
        fmt::format("the tasks differ, '{}' and '{}'; msprobe compares only dumps of the "
                    "same task",
                    target.task,
                    golden.task));
  }
  if (target.task == "tensor") {
    return Mode::Tensor;
  }
  if (target.task != "statistics") {
    return refuse(
        fmt::format("dumps of task '{}' hold nothing that msprobe compares; use "
                    "statistics or tensor",
                    target.task));
  }
  if (target.hasChecksums != golden.hasChecksums) {
    return refuse(
        "one holds checksums and the other does not; dump both with the same "
        "summary_mode");
  }
  return target.hasChecksums ? Mode::Checksum : Mode::Statistics;
}

/// Reads on two threads.
Result<std::pair<DumpJson, DumpJson>> readBoth(const fs::path& target,
                                               const fs::path& golden,
                                               const std::stop_token& stop,
                                               const dumps::Progress& progress) {
  Result<DumpJson> right;
  Result<DumpJson> left;
  {
    const std::jthread helper([&] { right = dumps::msprobe::readDumpJson(golden, stop); });
    left = dumps::msprobe::readDumpJson(target, stop, progress);
  }
  auto first = ULP_TRY(std::move(left));
  auto second = ULP_TRY(std::move(right));
  return std::pair{std::move(first), std::move(second)};
}

}  // namespace

std::string Sides::stackText(std::size_t entry, bool isFirstRow) const {
  const auto found = isFirstRow ? stacks.byEntry.find(target.entries[entry].name) : std::nullopt;
  return found ? stackTexts[*found] : std::string("N/A");
}

std::string Sides::fileNames(const Pair& pair) const {
  const auto nameOf = [](const Record& record) {
    return record.fileName.empty() ? std::string("-1") : record.fileName;
  };
  const Record* other = goldenOf(*this, pair);
  const std::array names{nameOf(target.records[pair.target]),
                         other == nullptr ? std::string("N/A") : nameOf(*other)};
  return dumps::msprobe::pythonList(names);
}

Result<Sides> loadSides(const fs::path& target,
                        const fs::path& golden,
                        const PairingRule& rule,
                        const std::stop_token& stop,
                        const dumps::Progress& progress) {
  auto both = ULP_TRY(readBoth(target, golden, stop, progress));
  Sides sides;
  sides.target = std::move(both.first);
  sides.golden = std::move(both.second);
  sides.mode = ULP_TRY(modeOf(sides.target, sides.golden));
  nameNans(sides.target);
  nameNans(sides.golden);
  const fs::path stackPath = target.parent_path() / "stack.json";
  if (dumps::isFile(stackPath)) {
    sides.stacks = ULP_TRY(dumps::msprobe::readCallStacks(stackPath, stop));
    for (const std::vector<std::string>& frames : sides.stacks.stacks) {
      sides.stackTexts.push_back(dumps::msprobe::pythonList(frames));
    }
    sides.hasStacks = true;
  }
  sides.pairs = pairRecords(sides.target, sides.golden, rule);
  widenIntegers(sides);
  return sides;
}

}  // namespace ulp::compat::msprobe
