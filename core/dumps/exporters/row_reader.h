#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/dumps/exporters/dump_exporter.h"

namespace ulp::dumps {

/// Reads the rows of a unit one after another and lets go of each before the next: memory stays
/// that of one tensor. Rows that cannot be read become a note.
class RowReader {
 public:
  /// `unread`: what becomes of rows that cannot be read, for the note.
  explicit RowReader(const UnitExport& unit, std::string_view unread = "are left out")
      : m_unit(unit), m_consequence(unread) {}
  /// Writes the note.
  ~RowReader();
  RowReader(const RowReader&) = delete;
  RowReader& operator=(const RowReader&) = delete;

  /// Calls `use` with the elements; not at all where they cannot be read. Errors: those of `use`;
  /// CorruptData where the file became shorter while they were used; OutOfMemory, Cancelled.
  [[nodiscard]] Result<> read(std::size_t row,
                              const std::function<Result<>(const tensors::Tensor&)>& use);

  /// How many were read.
  [[nodiscard]] std::size_t count() const { return m_read; }

 private:
  const UnitExport& m_unit;
  std::string_view m_consequence;
  std::vector<std::string> m_problems;
  std::size_t m_read = 0;
  std::size_t m_unread = 0;
};

/// Counts tensors that are written in another type than they were recorded in, none of which loses
/// a bit by it.
class Conversions {
 public:
  /// `row` was read as a tensor of `read` and is written as one of `written`.
  void add(const DumpRow& row, DType read, DType written);
  /// "2 tensors of bfloat16 are written as float32, which holds every value"
  void note(std::vector<std::string>& notes) const;

 private:
  std::map<std::pair<std::string, DType>, std::size_t> m_counts;
};

}  // namespace ulp::dumps
