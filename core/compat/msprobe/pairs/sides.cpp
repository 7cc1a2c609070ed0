#include "core/compat/msprobe/pairs/sides.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <fmt/format.h>
#include <mutex>
#include <utility>

#include "core/base/text/ascii_lower.h"
#include "core/base/threads.h"
#include "core/dumps/model/folders.h"
#include "core/dumps/msprobe/process_folder.h"
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
  ULP_TRY(runOnThreads(2, [&](std::size_t number) {
    if (number == 0) {
      left = dumps::msprobe::readDumpJson(target, stop, progress);
    } else {
      right = dumps::msprobe::readDumpJson(golden, stop);
    }
  }));
  auto first = ULP_TRY(std::move(left));
  auto second = ULP_TRY(std::move(right));
  return std::pair{std::move(first), std::move(second)};
}

TensorComparison unsupported(std::string message) {
  return {metricsOf(MetricState::Unsupported), std::move(message)};
}

/// Shares the pairs out among threads.
class FileComparison {
 public:
  FileComparison(const Sides& sides,
                 Generation generation,
                 const std::stop_token& stop,
                 const dumps::Progress& progress)
      : m_sides(sides),
        m_generation(generation),
        m_stop(stop),
        m_progress(progress),
        m_targets(sides.target.path.parent_path() / dumps::msprobe::kTensorFolder),
        m_goldens(sides.golden.path.parent_path() / dumps::msprobe::kTensorFolder) {
    m_result.pairs.resize(sides.pairs.size());
  }

  Result<ComparedTensors> run() {
    ULP_TRY(runOnThreads(threadsFor(m_sides.pairs.size()), [this](std::size_t) { work(); }));
    if (m_stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, "comparing tensors was stopped");
    }
    if (m_unread > 0) {
      m_result.notes.push_back(fmt::format(
          "{} files of tensors could not be read, the first is {}", m_unread, m_firstProblem));
    }
    return std::move(m_result);
  }

 private:
  void work() {
    const std::size_t count = m_sides.pairs.size();
    for (std::size_t each = m_next++; each < count && !m_stop.stop_requested(); each = m_next++) {
      m_result.pairs[each] = compare(m_sides.pairs[each]);
      const std::size_t done = ++m_done;
      constexpr std::size_t kReported = 64;
      if (m_progress && (done % kReported == 0 || done == count)) {
        const std::scoped_lock lock(m_mutex);
        m_progress(done, count);
      }
    }
  }

  TensorComparison compare(const Pair& pair) {
    const std::string& target = m_sides.target.records[pair.target].fileName;
    if (target.empty()) {
      return unsupported("NPU does not have data file.");
    }
    if (pair.golden == dumps::kNone) {
      return unsupported("Bench api/module unmatched.");
    }
    const std::string& golden = m_sides.golden.records[pair.golden].fileName;
    if (golden.empty()) {
      return unsupported("Bench does not have data file.");
    }
    const auto left = dumps::readTensorFile(m_targets / target);
    const auto right = dumps::readTensorFile(m_goldens / golden);
    if (!left || !right) {
      return unread(pair, (left ? right : left).error());
    }
    TensorComparison result = compareTensors(*left, *right, m_generation);
    for (const tensors::Tensor* tensor : {&*left, &*right}) {
      if (const auto intact = tensors::checkIntact(*tensor); !intact) {
        return unread(pair, intact.error());
      }
    }
    return result;
  }

  TensorComparison unread(const Pair& pair, const Error& error) {
    const std::scoped_lock lock(m_mutex);
    m_firstProblem = m_unread++ == 0 ? error.message() : m_firstProblem;
    return unsupported(
        fmt::format("Dump file: {} not found or read failed.", m_sides.fileNames(pair)));
  }

  const Sides& m_sides;
  Generation m_generation;
  const std::stop_token& m_stop;
  const dumps::Progress& m_progress;
  fs::path m_targets;
  fs::path m_goldens;
  ComparedTensors m_result;
  std::atomic<std::size_t> m_next = 0;
  std::atomic<std::size_t> m_done = 0;
  std::mutex m_mutex;
  std::size_t m_unread = 0;
  std::string m_firstProblem;
};

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

Result<ComparedTensors> compareFiles(const Sides& sides,
                                     Generation generation,
                                     const std::stop_token& stop,
                                     const dumps::Progress& progress) {
  return FileComparison(sides, generation, stop, progress).run();
}

}  // namespace ulp::compat::msprobe
