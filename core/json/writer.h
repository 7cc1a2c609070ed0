#pragma once

#include <concepts>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ulp::json {

/// Appends JSON to a string: commas and escapes, the shortest text of every double, and NaN and
/// infinities as the strings "NaN", "Infinity" and "-Infinity". The caller opens and closes.
class Writer {
 public:
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
  /// Puts what follows on a new line.
  void newLine(int indent);

  template <class Value>
  void field(std::string_view name, const Value& content) {
    key(name);
    value(content);
  }
  /// Adds a field that is a list; `writeItem(item)` adds the value of one item. With `indent` its
  /// end stands on a line of its own.
  template <class Items, class WriteItem>
  void list(std::string_view name,
            const Items& items,
            const WriteItem& writeItem,
            std::optional<int> indent = std::nullopt) {
    key(name);
    beginArray();
    for (const auto& item : items) {
      writeItem(item);
    }
    if (indent) {
      newLine(*indent);
    }
    endArray();
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

 private:
  void open(char bracket);
  void close(char bracket);
  void comma();

  std::string m_out;
  std::string m_pendingBreak;
  bool m_needsComma = false;
};

}  // namespace ulp::json
