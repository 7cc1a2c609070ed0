#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ulp::json {

enum class Kind : std::uint8_t { Null, Boolean, Integer, Real, Text, Array, Object };

class Value;
struct Member;
using Array = std::vector<Value>;

/// Members of an object in the order in which they were first set. Finding one takes the same time
/// however many there are. Pointers to values hold until a member is added or removed.
class Object {
 public:
  Object() noexcept;
  Object(std::initializer_list<Member> members);
  Object(const Object& other);
  Object(Object&& other) noexcept;
  Object& operator=(const Object& other);
  Object& operator=(Object&& other) noexcept;
  ~Object();

  [[nodiscard]] const Member* begin() const;
  [[nodiscard]] const Member* end() const;
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool empty() const { return size() == 0; }
  /// Finds a member; null where there is none.
  [[nodiscard]] const Value* find(std::string_view name) const;
  /// Finds a member, or adds one that is null.
  Value& operator[](std::string_view name);
  /// Removes a member if it is there.
  void erase(std::string_view name);

 private:
  struct Index;

  [[nodiscard]] std::size_t positionOf(std::string_view name) const;
  void reindex();

  std::vector<Member> m_members;
  std::unique_ptr<Index> m_index;  ///< null while there are few members
};

/// A value of JSON with all that it holds, for documents that are small beside memory; large ones
/// are read by readEvents() or Reader. Integers from -2^63 to 2^64 - 1 are exact.
class Value {
 public:
  Value() = default;  ///< null
  Value(std::nullptr_t) = delete;
  /// A flag or a number.
  template <class Scalar>
  requires std::is_arithmetic_v<Scalar> Value(Scalar scalar) {
    if constexpr (std::same_as<Scalar, bool>) {
      m_content = scalar;
    } else if constexpr (std::floating_point<Scalar>) {
      m_content = static_cast<double>(scalar);
    } else if constexpr (std::signed_integral<Scalar>) {
      m_content = static_cast<std::int64_t>(scalar);
    } else {
      m_content = static_cast<std::uint64_t>(scalar);
    }
  }
  template <std::convertible_to<std::string_view> Text>
  Value(Text&& text) : m_content(std::string(std::forward<Text>(text))) {}
  template <class Item>
  Value(std::vector<Item> items) {
    if constexpr (std::same_as<Item, Value>) {
      m_content = std::move(items);
    } else {
      m_content =
          Array(std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()));
    }
  }
  Value(Object members) : m_content(std::move(members)) {}

  [[nodiscard]] Kind kind() const;
  [[nodiscard]] bool isNull() const { return kind() == Kind::Null; }
  [[nodiscard]] bool isBoolean() const { return kind() == Kind::Boolean; }
  [[nodiscard]] bool isInteger() const { return kind() == Kind::Integer; }
  [[nodiscard]] bool isNumber() const { return isInteger() || kind() == Kind::Real; }
  [[nodiscard]] bool isText() const { return kind() == Kind::Text; }
  [[nodiscard]] bool isArray() const { return kind() == Kind::Array; }
  [[nodiscard]] bool isObject() const { return kind() == Kind::Object; }

  /// The content of a value of this kind; false, 0 or nothing for values of another one.
  [[nodiscard]] bool boolean() const;
  /// Integers above 2^63 - 1 become negative; isBeyondInt64() tells.
  [[nodiscard]] std::int64_t integer() const;
  [[nodiscard]] bool isBeyondInt64() const;
  [[nodiscard]] double number() const;
  [[nodiscard]] const std::string& text() const;
  [[nodiscard]] const Array& items() const;
  [[nodiscard]] const Object& members() const;

  [[nodiscard]] bool contains(std::string_view name) const {
    return members().find(name) != nullptr;
  }
  /// Gives a member, or a value that is null where there is none.
  [[nodiscard]] const Value& at(std::string_view name) const;

  /// Finds or adds a member. What is no object becomes one.
  Value& operator[](std::string_view name) { return object()[name]; }
  void erase(std::string_view name) { object().erase(name); }
  /// Appends an item. What is no array becomes one.
  Value& append(Value item);

 private:
  [[nodiscard]] Object& object();

  std::
      variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object>
          m_content;
};

struct Member {
  std::string name;
  Value value;
};

/// Changes `target` by a patch: objects are merged member by member, null removes a member,
/// anything else replaces (RFC 7396).
void mergePatch(Value& target, const Value& patch);

}  // namespace ulp::json
