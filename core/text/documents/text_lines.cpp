#include "core/text/documents/text_lines.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "core/json/parse.h"

namespace ulp::text {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t\r\v\f";

}  // namespace

TextLines::TextLines(std::shared_ptr<const MappedFile> file) : m_file(std::move(file)) {
  const auto bytes = m_file->bytes();
  m_rest = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  if (m_rest.starts_with(kByteOrderMark)) {
    m_rest.remove_prefix(kByteOrderMark.size());
  }
}

Result<TextLines> TextLines::open(const std::filesystem::path& path) {
  auto file = ULP_TRY(MappedFile::open(path));
  return TextLines(std::move(file));
}

std::optional<std::string_view> TextLines::next() {
  if (m_rest.empty()) {
    return std::nullopt;
  }
  const std::size_t end = std::min(m_rest.find('\n'), m_rest.size());
  std::string_view line = m_rest.substr(0, end);
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  m_rest.remove_prefix(std::min(end + 1, m_rest.size()));
  ++m_line;
  return line;
}

std::optional<std::string_view> TextLines::nextFilled() {
  while (const auto line = next()) {
    if (!isBlank(*line)) {
      return line;
    }
  }
  return std::nullopt;
}

std::string TextLines::place() const {
  return fmt::format("{}:{}", path().string(), m_line);
}

bool TextLines::areJson() const {
  constexpr std::array<std::string_view, 3> kExtensions{".jsonl", ".ndjson", ".json"};
  return std::ranges::count(kExtensions, path().extension().string()) > 0;
}

Result<json::Value> TextLines::parseRow(std::string_view line) const {
  auto row = json::parse(line);
  if (!row) {
    return failWhile(place(), std::move(row));
  }
  if (!row->isObject()) {
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: each line must be one JSON object", place()));
  }
  return row;
}

bool isBlank(std::string_view line) {
  return line.find_first_not_of(kBlanks) == std::string_view::npos;
}

std::string fieldNamesOf(const json::Value& row) {
  std::string names;
  for (const auto& [name, value] : row.members()) {
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", name);
  }
  return names.empty() ? "none" : names;
}

}  // namespace ulp::text
