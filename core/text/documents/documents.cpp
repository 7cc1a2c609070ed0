#include "core/text/documents/documents.h"

#include <fmt/format.h>
#include <utility>

#include "core/json/value.h"

namespace ulp::text {
namespace {

/// A blank line between two that are not.
bool hasParagraphs(std::string_view text) {
  bool sawText = false;
  bool sawBlank = false;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const bool blank = isBlank(text.substr(0, end));
    if (!blank && sawBlank) {
      return true;
    }
    sawText = sawText || !blank;
    sawBlank = sawText && blank;
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return false;
}

}  // namespace

DocumentReader::DocumentReader(TextLines lines, std::string field)
    : m_lines(std::move(lines)), m_field(std::move(field)) {
  if (m_lines.areJson()) {
    m_layout = Layout::JsonLines;
  } else {
    m_layout = hasParagraphs(m_lines.rest()) ? Layout::Paragraphs : Layout::Lines;
  }
}

Result<DocumentReader> DocumentReader::open(const std::filesystem::path& path, std::string field) {
  auto lines = ULP_TRY(TextLines::open(path));
  return DocumentReader(std::move(lines), std::move(field));
}

Result<std::optional<Document>> DocumentReader::next() {
  auto document = m_layout == Layout::JsonLines ? nextObject() : nextPlain();
  ULP_TRY(m_lines.checkIntact());
  return document;
}

Result<std::optional<Document>> DocumentReader::nextObject() {
  while (const auto line = m_lines.nextFilled()) {
    auto document = ULP_TRY(readObject(*line));
    if (!document.text.empty()) {
      return std::optional<Document>(std::move(document));
    }
  }
  return std::optional<Document>();
}

std::optional<Document> DocumentReader::nextPlain() {
  const auto first = m_lines.nextFilled();
  if (!first) {
    return std::nullopt;
  }
  Document document{std::string(*first), m_lines.place()};
  while (m_layout == Layout::Paragraphs) {
    const auto line = m_lines.next();
    if (!line || isBlank(*line)) {
      break;
    }
    document.text += '\n';
    document.text += *line;
  }
  return document;
}

Result<Document> DocumentReader::readObject(std::string_view line) const {
  const auto row = ULP_TRY(m_lines.parseRow(line));
  const json::Value* field = row.members().find(m_field);
  if (field == nullptr) {
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: no field '{}'; the object has {}; input.field chooses one",
                            m_lines.place(),
                            m_field,
                            fieldNamesOf(row)));
  }
  if (!field->isText()) {
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: field '{}' is not a text", m_lines.place(), m_field));
  }
  return Document{field->text(), m_lines.place()};
}

}  // namespace ulp::text
