#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/dumps/model/dump.h"
#include "tests/support/data/dump_builder.h"

namespace ulp::test {

/// A unit with tensors of any type in memory.
class TensorUnit final : public dumps::DumpUnit {
 public:
  /// Starts an entry; rows that are added after it are its own.
  void entry(dumps::DumpEntry entry) { addEntry(std::move(entry)); }
  template <class Element>
  void tensor(dumps::Role role,
              const std::string& name,
              const std::string& index,
              DType dtype,
              std::vector<std::int64_t> shape,
              std::vector<Element> values) {
    addRow({.name = name,
            .role = role,
            .index = index,
            .dtype = "torch." + std::string(toString(dtype)),
            .shape = shape,
            .hasElements = true});
    const auto bytes = std::as_bytes(std::span(values));
    auto owner = std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end());
    m_tensors[rows.size() - 1] = {{owner->data(), dtype, std::move(shape)}, owner};
  }
  /// A row without elements.
  void row(dumps::DumpRow row) { addRow(std::move(row)); }
  void lose(std::size_t row) { m_tensors.erase(row); }

  [[nodiscard]] Result<tensors::Tensor> read(std::size_t row) const override {
    const auto found = m_tensors.find(row);
    if (found == m_tensors.end()) {
      return fail(ErrorCode::NotFound, "file" + std::to_string(row) + ".pt: no such file");
    }
    return found->second;
  }

 private:
  std::map<std::size_t, tensors::Tensor> m_tensors;
};

class TensorDump : public dumps::Dump {
 public:
  TensorDump() {
    importer = "test";
    format = "made by a test";
    path = "some/dump";
  }
  TensorUnit& add(dumps::UnitAxes axes = {}) {
    auto unit = std::make_shared<TensorUnit>();
    unit->axes = axes;
    units.push_back({.axes = std::move(axes), .path = path, .open = opening(unit)});
    return *unit;
  }
};

}  // namespace ulp::test
