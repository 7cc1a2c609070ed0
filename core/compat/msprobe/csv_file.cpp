#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/compat/msprobe/table_file.h"
#include "core/dumps/msprobe/python_text.h"
#include "core/report/table_writers/delimited_text.h"

namespace ulp::compat::msprobe {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRowsOfAFile = 1'000'000;
constexpr std::size_t kBuffered = std::size_t{1} << 20;

std::string fieldOf(const Cell& cell) {
  if (cell.kind == dumps::msprobe::ScalarKind::Float) {
    return std::isfinite(cell.number) ? dumps::msprobe::pythonFloat(cell.number)
                                      : nonFiniteText(cell.number, SheetInfinity::BlankInFront);
  }
  return report::csvField(cell.text);
}

class CsvFile final : public TableFile {
 public:
  CsvFile(fs::path path, std::vector<std::string> titles, std::size_t rows)
      : m_path(std::move(path)), m_titles(std::move(titles)), m_isSplit(rows > kRowsOfAFile) {
    begin();
  }
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;
  ~CsvFile() override {
    m_out.close();
    for (const fs::path& file : m_files) {
      std::error_code ignored;
      fs::remove(unfinished(file), ignored);
    }
  }

  void addRow(std::span<const Cell> cells, Fill /*fill*/) override {
    if (m_rows == kRowsOfAFile) {
      end();
      begin();
    }
    for (std::size_t column = 0; column < cells.size(); ++column) {
      m_text += column == 0 ? "" : ",";
      m_text += fieldOf(cells[column]);
    }
    m_text += '\n';
    ++m_rows;
    if (m_text.size() >= kBuffered) {
      flush();
    }
  }

  Result<std::vector<fs::path>> finish() override {
    end();
    if (!m_failed.empty()) {
      return fail(ErrorCode::Io,
                  fmt::format("{}: cannot be written; is there space, and are you allowed to?",
                              m_failed.string()));
    }
    for (const fs::path& file : m_files) {
      std::error_code error;
      fs::rename(unfinished(file), file, error);
      if (error) {
        return fail(ErrorCode::Io, fmt::format("{}: {}", file.string(), error.message()));
      }
    }
    return std::exchange(m_files, {});
  }

 private:
  static fs::path unfinished(const fs::path& file) { return file.string() + ".unfinished"; }

  void begin() {
    fs::path file = m_path;
    if (m_isSplit) {
      file.replace_filename(
          fmt::format("{}_part_{}.csv", m_path.stem().string(), m_files.size() + 1));
    }
    m_out.open(unfinished(file), std::ios::binary | std::ios::trunc);
    m_files.push_back(std::move(file));
    m_rows = 0;
    for (std::size_t column = 0; column < m_titles.size(); ++column) {
      m_text += column == 0 ? "" : ",";
      m_text += report::csvField(m_titles[column]);
    }
    m_text += '\n';
  }

  void flush() {
    m_out.write(m_text.data(), static_cast<std::streamsize>(m_text.size()));
    m_text.clear();
    if (!m_out && m_failed.empty()) {
      m_failed = m_files.back();
    }
  }

  void end() {
    flush();
    m_out.close();
    if (m_out.fail() && m_failed.empty()) {
      m_failed = m_files.back();
    }
  }

  fs::path m_path;
  std::vector<std::string> m_titles;
  bool m_isSplit;
  std::vector<fs::path> m_files;
  std::ofstream m_out;
  std::string m_text;
  std::size_t m_rows = 0;
  fs::path m_failed;
};

}  // namespace

Cell textCell(std::string text) {
  return {.kind = dumps::msprobe::ScalarKind::Text, .text = std::move(text)};
}

Cell numberCell(double number) {
  return {.kind = dumps::msprobe::ScalarKind::Float, .number = number};
}

std::string nonFiniteText(double value, SheetInfinity infinity) {
  std::string text = dumps::msprobe::pythonFloat(value);
  switch (infinity) {
    case SheetInfinity::BlankInFront:
      return std::isnan(value) ? text : " " + text;
    case SheetInfinity::TabBehind:
      return text + "\t";
    case SheetInfinity::Bare:
      break;
  }
  return text;
}

std::unique_ptr<TableFile> makeCsvFile(const fs::path& path,
                                       std::vector<std::string> titles,
                                       std::size_t rows) {
  return std::make_unique<CsvFile>(path, std::move(titles), rows);
}

}  // namespace ulp::compat::msprobe
