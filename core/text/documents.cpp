#include "core/text/documents.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace ulp::text {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t\r\v\f";

bool isBlank(std::string_view line) {
  return line.find_first_not_of(kBlanks) == std::string_view::npos;
}

bool isJsonLines(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 3> kExtensions{".jsonl", ".ndjson", ".json"};
  const std::string extension = path.extension().string();
  return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end();
}

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

DocumentReader::DocumentReader(std::shared_ptr<const MappedFile> file, std::string field)
    : m_file(std::move(file)), m_field(std::move(field)) {
  const auto bytes = m_file->bytes();
  m_text = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  if (m_text.starts_with(kByteOrderMark)) {
    m_text.remove_prefix(kByteOrderMark.size());
  }
  if (isJsonLines(m_file->path())) {
    m_layout = Layout::JsonLines;
  } else {
    m_layout = hasParagraphs(m_text) ? Layout::Paragraphs : Layout::Lines;
  }
}

Result<DocumentReader> DocumentReader::open(const std::filesystem::path& path, std::string field) {
  auto file = MappedFile::open(path);
  if (!file) {
    return tl::unexpected(file.error());
  }
  return DocumentReader(*std::move(file), std::move(field));
}

Result<std::optional<Document>> DocumentReader::next() {
  if (m_layout != Layout::JsonLines) {
    return nextPlain();
  }
  while (const auto line = nextLine()) {
    if (isBlank(*line)) {
      continue;
    }
    auto document = readObject(*line);
    if (!document) {
      return tl::unexpected(document.error());
    }
    if (!document->text.empty()) {
      return std::optional<Document>(*std::move(document));
    }
  }
  return std::optional<Document>();
}

std::optional<std::string_view> DocumentReader::nextLine() {
  if (m_at >= m_text.size()) {
    return std::nullopt;
  }
  const std::size_t end = std::min(m_text.find('\n', m_at), m_text.size());
  std::string_view line = m_text.substr(m_at, end - m_at);
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  m_at = end + 1;
  ++m_line;
  return line;
}

std::optional<Document> DocumentReader::nextPlain() {
  Document document;
  while (const auto line = nextLine()) {
    if (isBlank(*line)) {
      if (!document.text.empty()) {
        break;
      }
      continue;
    }
    if (document.text.empty()) {
      document.place = placeOf(m_line);
    } else {
      document.text += '\n';
    }
    document.text += *line;
    if (m_layout == Layout::Lines) {
      break;
    }
  }
  return document.text.empty() ? std::nullopt : std::optional(std::move(document));
}

Result<Document> DocumentReader::readObject(std::string_view line) const {
  const auto corrupt = [this](std::string_view what) {
    return fail(ErrorCode::CorruptData, fmt::format("{}: {}", placeOf(m_line), what));
  };
  nlohmann::json object;
  try {
    object = nlohmann::json::parse(line);
  } catch (const nlohmann::json::exception& error) {
    return corrupt(error.what());
  }
  if (!object.is_object()) {
    return corrupt("each line must be one JSON object");
  }
  const auto field = object.find(m_field);
  if (field == object.end()) {
    std::string names;
    for (const auto& [name, value] : object.items()) {
      names += fmt::format("{}'{}'", names.empty() ? "" : ", ", name);
    }
    return corrupt(fmt::format("no field '{}'; the object has {}; input.field chooses one",
                               m_field,
                               names.empty() ? "none" : names));
  }
  if (!field->is_string()) {
    return corrupt(fmt::format("field '{}' is not a text", m_field));
  }
  return Document{field->get<std::string>(), placeOf(m_line)};
}

std::string DocumentReader::placeOf(std::size_t line) const {
  return fmt::format("{}:{}", m_file->path().string(), line);
}

}  // namespace ulp::text
