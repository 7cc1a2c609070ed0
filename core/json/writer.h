#pragma once

#include <concepts>
#include <cstddef>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace ulp::json {

/// How JSON is laid out.
struct WriterStyle {
  /// Blanks a level: every item and field on a line of its own, as Python's json.dump has them;
  /// nothing: newLine() alone breaks lines.
  std::optional<int> indent{};
  bool isAscii = false;  ///< characters beyond ASCII are escaped
};

/// Where the lines of a list begin, in blanks; nothing: none does.
struct ListLines {
  std::optional<int> items{};  ///< one each
  std::optional<int> end{};
};

/// Appends JSON to a string: commas and escapes, the shortest text of every double, and NaN and
/// infinities as the strings "NaN", "Infinity" and "-Infinity". The caller opens and closes.
class Writer {
 public:
  explicit Writer(const WriterStyle& style = {}) : m_style(style) {}

  void beginObject() { open('{'); }
  void endObject() { close('}'); }
  void beginArray() { open('['); }
  void endArray() { close(']'); }
  /// Starts a field; a value, object or array must follow.
  void key(std::string_view name);
  void value(std::string_view text);
  void value(double number);
  void value(std::integral auto number) {
    comma();
    fmt::format_to(std::back_inserter(m_out), "{}", number);
  }
  /// Adds a list of texts.
  void value(std::span<const std::string> texts);
  /// Adds what an optional holds, or null.
  template <class Value>
  void value(const std::optional<Value>& content) {
    content ? value(*content) : null();
  }
  /// Adds an object, whose fields `write` adds.
  void value(const std::invocable auto& write) {
    beginObject();
    write();
    endObject();
  }
  void null() { raw("null"); }
  /// Text that is JSON already.
  void raw(std::string_view json);
  /// Puts what follows on a new line; nothing: on the same one.
  void newLine(std::optional<int> indent);

  template <class Value>
  void field(std::string_view name, const Value& content) {
    key(name);
    value(content);
  }
  /// Adds a field that is a list; `writeItem(item)` adds the value of one item.
  template <class Items, class WriteItem>
  void list(std::string_view name,
            const Items& items,
            const WriteItem& writeItem,
            const ListLines& lines = {}) {
    key(name);
    beginArray();
    for (const auto& item : items) {
      newLine(lines.items);
      writeItem(item);
    }
    newLine(lines.end);
    endArray();
  }
  /// Adds a field that is a list of objects; `write(item)` adds the fields of one.
  template <class Items, class Write>
  void objects(std::string_view name,
               const Items& items,
               const Write& write,
               const ListLines& lines = {}) {
    list(
        name, items, [&](const auto& item) { value([&] { write(item); }); }, lines);
  }
  /// Adds a field that is null, or an object whose fields `write(*content)` adds.
  template <class Content, class Write>
  void optionalObject(std::string_view name, const Content& content, const Write& write) {
    key(name);
    if (content) {
      value([&] { write(*content); });
    } else {
      null();
    }
  }

  [[nodiscard]] std::string take() && { return std::move(m_out); }
  /// What was written since the last call, for documents that are large.
  [[nodiscard]] std::string drain() { return std::exchange(m_out, {}); }
  /// Bytes that drain() would return.
  [[nodiscard]] std::size_t size() const { return m_out.size(); }

 private:
  void open(char bracket);
  void close(char bracket);
  void comma();

  WriterStyle m_style;
  std::string m_out;
  std::string m_pendingBreak;
  int m_depth = 0;
  bool m_needsComma = false;
  bool m_isAfterKey = false;
};

/// Makes a document of one object: its schema, then the fields that `write(json)` adds.
template <std::invocable<Writer&> Write>
[[nodiscard]] std::string document(std::string_view schema, const Write& write) {
  Writer json;
  json.value([&] {
    json.newLine(1);
    json.field("schema", schema);
    write(json);
    json.newLine(0);
  });
  return std::move(json).take() + "\n";
}

}  // namespace ulp::json
