#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/numerics/metrics/metric.h"

namespace ulp::report {

/// One sheet, written row by row from left to right. Errors are kept by the book.
class XlsxSheet {
 public:
  virtual ~XlsxSheet() = default;

  virtual void setWidth(std::size_t column, double width) = 0;  ///< in characters
  virtual void header(const std::string& text) = 0;
  virtual void section(const std::string& text) = 0;
  virtual void text(const std::string& text) = 0;
  virtual void count(std::uint64_t value) = 0;
  /// A cell of a sheet cannot hold NaN or an infinity: infinities are words, and NaN stays empty.
  virtual void number(double value, numerics::MetricUnit unit) = 0;
  /// All digits, in the spreadsheet's own general format; must be finite.
  virtual void exact(double value) = 0;
  virtual void flag(bool value) = 0;
  /// The colour behind the cells that follow, 0xRRGGBB; nothing: none.
  virtual void setFill(std::optional<std::uint32_t> colour) = 0;
  virtual void endRow() = 0;
  virtual void freezeHeader(int columns, int rows = 1) = 0;
  /// A filter over all rows, with the titles in row `titles`.
  virtual void filterAll(std::size_t columns, std::size_t titles = 0) = 0;
};

/// A workbook while it is being made.
class XlsxBook {
 public:
  virtual ~XlsxBook() = default;
  /// The sheet lives as long as the book. Finish one before the next is added.
  virtual XlsxSheet& addSheet(const std::string& name) = 0;
};

/// Makes a workbook whose largest sheet has `rows` rows. Errors: Unsupported for more than a sheet
/// holds; Io when there is no room for the temporary file.
[[nodiscard]] Result<std::string> makeXlsxBook(std::size_t rows,
                                               const std::function<void(XlsxBook&)>& fill);

}  // namespace ulp::report
