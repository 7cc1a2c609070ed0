#pragma once

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/dumps/model/dump.h"
#include "tests/support/data/small_matrices.h"

namespace ulp::test {

/// A unit in memory, entry by entry.
class BuiltUnit final : public dumps::DumpUnit {
 public:
  /// Starts an entry; rows that are added after it are its own.
  std::size_t entry(dumps::DumpEntry entry) { return addEntry(std::move(entry)); }
  std::size_t module(const std::string& path, const std::string& type = "Module") {
    return entry({.name = "Module." + path + "." + type + ".forward.0",
                  .kind = dumps::EntryKind::Module,
                  .module = path,
                  .operation = type});
  }
  std::size_t api(const std::string& operation,
                  std::uint64_t call,
                  std::size_t parent = dumps::kNone) {
    return entry({.name = operation + "." + std::to_string(call) + ".forward",
                  .kind = dumps::EntryKind::Api,
                  .module = parent == dumps::kNone ? "" : entries[parent].module,
                  .operation = operation,
                  .call = call,
                  .parent = parent});
  }

  /// A row with the elements themselves.
  void tensor(dumps::Role role, const std::string& index, std::vector<float> values) {
    add(role, index, {static_cast<std::int64_t>(values.size())});
    rows.back().hasElements = true;
    m_values[rows.size() - 1] = std::make_shared<const std::vector<float>>(std::move(values));
  }
  /// A row with the numbers that a dumper would record of these values.
  void recorded(dumps::Role role, const std::string& index, const std::vector<double>& values) {
    add(role, index, {static_cast<std::int64_t>(values.size())});
    double max = values.front();
    double min = values.front();
    double sum = 0;
    double squares = 0;
    for (const double value : values) {
      // A NaN stays, as it does in torch.
      max = std::isnan(value) || value > max ? value : max;
      min = std::isnan(value) || value < min ? value : min;
      sum += value;
      squares += value * value;
    }
    rows.back().statistics = {
        max, min, sum / static_cast<double>(values.size()), std::sqrt(squares)};
  }
  /// A row of either kind, of the shape of the matrix.
  void matrix(dumps::Role role, const std::string& index, const Matrix& values, bool isRecorded) {
    const std::vector<float> all = flat(values);
    if (isRecorded) {
      recorded(role, index, {all.begin(), all.end()});
    } else {
      tensor(role, index, all);
    }
    shape({static_cast<std::int64_t>(values.size()),
           static_cast<std::int64_t>(values.front().size())});
  }
  /// Of the last row, whose elements stay as they are.
  void shape(std::vector<std::int64_t> shape) { rows.back().shape = std::move(shape); }
  void checksum(dumps::Role role, const std::string& index, const std::string& sum) {
    add(role, index, {4});
    rows.back().checksum = sum;
  }
  void value(dumps::Role role, const std::string& index, const std::string& text) {
    add(role, index, {});
    rows.back().dtype.clear();
    rows.back().value = text;
  }

  [[nodiscard]] Result<tensors::Tensor> read(std::size_t row) const override {
    const auto found = m_values.find(row);
    if (found == m_values.end()) {
      return fail(ErrorCode::NotFound, "file.pt: no such file");
    }
    return tensors::Tensor{{found->second->data(), DType::Float32, rows[row].shape}, found->second};
  }
  void loseFile(std::size_t row) { m_values.erase(row); }

 private:
  void add(dumps::Role role, const std::string& index, std::vector<std::int64_t> shape) {
    const std::string name = entries.back().name + "." + std::string(toString(role)) +
                             (index.empty() ? "" : "." + index);
    addRow({.name = name,
            .role = role,
            .index = index,
            .dtype = "torch.float32",
            .shape = std::move(shape)});
  }

  std::map<std::size_t, std::shared_ptr<const std::vector<float>>> m_values;
};

/// What gives a unit that is in memory.
template <class Unit>
auto opening(std::shared_ptr<Unit> unit) {
  return [unit = std::move(unit)](
             const dumps::UnitInfo& /*info*/,
             const std::stop_token& /*stop*/,
             const dumps::Progress& /*progress*/) -> Result<dumps::DumpUnitPtr> { return unit; };
}

/// A dump of such units.
class BuiltDump : public dumps::Dump {
 public:
  void add(std::shared_ptr<BuiltUnit> unit, dumps::UnitAxes axes = {}) {
    unit->axes = axes;
    units.push_back({.axes = std::move(axes), .open = opening(std::move(unit))});
  }
};

}  // namespace ulp::test
