#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/interface.h"
#include "core/base/result.h"
#include "core/json/value.h"

namespace ulp::json {

/// Told of what a document holds, in the order of its text. A function that returns false ends the
/// reading. Texts are UTF-8 and may be moved from.
class Events : public Interface {
 public:
  virtual bool null() = 0;
  virtual bool boolean(bool value) = 0;
  /// A negative integer of 64 bits.
  virtual bool negative(std::int64_t value) = 0;
  /// An integer from 0 to 2^64 - 1.
  virtual bool natural(std::uint64_t value) = 0;
  /// Any other number; `spelled` as the document has it.
  virtual bool real(double value, const std::string& spelled) = 0;
  virtual bool text(std::string& value) = 0;
  virtual bool beginObject() = 0;
  virtual bool key(std::string& name) = 0;
  virtual bool endObject() = 0;
  virtual bool beginArray() = 0;
  virtual bool endArray() = 0;
  /// The text is no JSON from a byte on (counted from 1); `what` says why, with line and column.
  virtual void syntaxError(std::size_t byte, const std::string& what) = 0;
};

/// Reads a document as events. Errors: CorruptData where one of them ended it, or at a syntax
/// error; `events` knows more of it. OutOfMemory, Cancelled.
[[nodiscard]] Result<> readEvents(std::string_view text, Events& events);

/// Makes a Value of events. Of members with one name the last counts, in the place of the first.
class DocumentBuilder : public Events {
 public:
  bool null() override { return add({}); }
  bool boolean(bool value) override { return add(value); }
  bool negative(std::int64_t value) override { return add(value); }
  bool natural(std::uint64_t value) override { return add(value); }
  bool real(double value, const std::string& spelled) override;
  bool text(std::string& value) override { return add(std::move(value)); }
  bool beginObject() override { return open(Object()); }
  bool key(std::string& name) override;
  bool endObject() override;
  bool beginArray() override { return open(Array()); }
  bool endArray() override { return endObject(); }
  void syntaxError(std::size_t byte, const std::string& what) override;

  /// Takes the document once reading has returned true.
  [[nodiscard]] Value take() { return std::move(m_root); }
  /// Says why reading returned false: CorruptData.
  [[nodiscard]] const std::string& problem() const { return m_problem; }
  /// Byte of a syntax error, counted from 1.
  [[nodiscard]] std::size_t problemByte() const { return m_problemByte; }
  /// Number of objects and arrays that are open.
  [[nodiscard]] std::size_t depth() const { return m_open.size(); }

 private:
  bool add(Value value);
  bool open(Value container);
  /// Puts a value where the innermost that is open wants it, and returns it there.
  Value& put(Value value);

  Value m_root;
  std::vector<Value*> m_open;  ///< outermost first; a container grows only while it is innermost
  Value* m_member = nullptr;   ///< of the innermost object, that the next value is for
  std::string m_problem;
  std::size_t m_problemByte = 0;
};

/// Reads a document. Errors: CorruptData (not JSON, or nested more than 1000 levels deep),
/// OutOfMemory, Cancelled; the message names no file.
[[nodiscard]] Result<Value> parse(std::string_view text);

/// Reads a document that has to be an object. Errors: CorruptData with `complaint` where it is
/// anything else, OutOfMemory, Cancelled; the message names no file.
[[nodiscard]] Result<Value> parseObject(std::string_view text,
                                        std::string_view complaint = "is not a JSON object");

}  // namespace ulp::json
