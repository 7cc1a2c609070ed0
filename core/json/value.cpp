#include "core/json/value.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <unordered_map>

namespace ulp::json {
namespace {

/// Fewer members are found as quickly by looking at each.
constexpr std::size_t kFewMembers = 16;

}  // namespace

/// Hash of a name -> its positions.
struct Object::Index {
  std::unordered_multimap<std::size_t, std::size_t> positions;
};

Object::Object() noexcept = default;
Object::Object(std::initializer_list<Member> members) {
  for (const Member& member : members) {
    (*this)[member.name] = member.value;
  }
}
Object::Object(const Object& other) : m_members(other.m_members) {
  reindex();
}
Object::Object(Object&& other) noexcept = default;
Object& Object::operator=(const Object& other) {
  Object copy(other);
  return *this = std::move(copy);
}
Object& Object::operator=(Object&& other) noexcept = default;
Object::~Object() = default;

const Member* Object::begin() const {
  return m_members.data();
}

const Member* Object::end() const {
  return m_members.data() + m_members.size();
}

std::size_t Object::size() const {
  return m_members.size();
}

const Value* Object::find(std::string_view name) const {
  const std::size_t position = positionOf(name);
  return position < m_members.size() ? &m_members[position].value : nullptr;
}

Value& Object::operator[](std::string_view name) {
  const std::size_t position = positionOf(name);
  if (position == m_members.size()) {
    m_members.push_back({std::string(name), {}});
    if (m_index != nullptr) {
      m_index->positions.emplace(std::hash<std::string_view>()(name), position);
    } else {
      reindex();
    }
  }
  return m_members[position].value;
}

void Object::erase(std::string_view name) {
  const std::size_t position = positionOf(name);
  if (position < m_members.size()) {
    m_members.erase(m_members.begin() + static_cast<std::ptrdiff_t>(position));
    m_index.reset();
    reindex();
  }
}

std::size_t Object::positionOf(std::string_view name) const {
  if (m_index == nullptr) {
    const auto found = std::find_if(m_members.begin(),
                                    m_members.end(),
                                    [name](const Member& member) { return member.name == name; });
    return static_cast<std::size_t>(found - m_members.begin());
  }
  const auto [first, last] = m_index->positions.equal_range(std::hash<std::string_view>()(name));
  const auto found = std::find_if(
      first, last, [&](const auto& entry) { return m_members[entry.second].name == name; });
  return found == last ? m_members.size() : found->second;
}

void Object::reindex() {
  if (m_members.size() <= kFewMembers) {
    return;
  }
  m_index = std::make_unique<Index>();
  for (std::size_t i = 0; i < m_members.size(); ++i) {
    m_index->positions.emplace(std::hash<std::string_view>()(m_members[i].name), i);
  }
}

Kind Value::kind() const {
  constexpr std::size_t kUnsigned = 3;
  const std::size_t index = m_content.index();
  return static_cast<Kind>(index < kUnsigned ? index : index - 1);
}

bool Value::boolean() const {
  const bool* flag = std::get_if<bool>(&m_content);
  return flag != nullptr && *flag;
}

std::int64_t Value::integer() const {
  if (const auto* number = std::get_if<std::uint64_t>(&m_content)) {
    return static_cast<std::int64_t>(*number);
  }
  const auto* number = std::get_if<std::int64_t>(&m_content);
  return number == nullptr ? 0 : *number;
}

bool Value::isBeyondInt64() const {
  const auto* number = std::get_if<std::uint64_t>(&m_content);
  return number != nullptr &&
         *number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
}

double Value::number() const {
  if (const auto* number = std::get_if<double>(&m_content)) {
    return *number;
  }
  const auto* number = std::get_if<std::uint64_t>(&m_content);
  return number == nullptr ? static_cast<double>(integer()) : static_cast<double>(*number);
}

const std::string& Value::text() const {
  static const std::string kNone;
  const auto* text = std::get_if<std::string>(&m_content);
  return text == nullptr ? kNone : *text;
}

const Array& Value::items() const {
  static const Array kNone;
  const auto* items = std::get_if<Array>(&m_content);
  return items == nullptr ? kNone : *items;
}

const Object& Value::members() const {
  static const Object kNone;
  const auto* members = std::get_if<Object>(&m_content);
  return members == nullptr ? kNone : *members;
}

const Value& Value::at(std::string_view name) const {
  static const Value kNull;
  const Value* found = members().find(name);
  return found == nullptr ? kNull : *found;
}

Value& Value::append(Value item) {
  if (!isArray()) {
    m_content = Array();
  }
  return std::get<Array>(m_content).emplace_back(std::move(item));
}

Object& Value::object() {
  if (!isObject()) {
    m_content = Object();
  }
  return std::get<Object>(m_content);
}

void mergePatch(Value& target, const Value& patch) {
  if (!patch.isObject()) {
    target = patch;
    return;
  }
  if (!target.isObject()) {
    target = Object();
  }
  for (const auto& [name, value] : patch.members()) {
    if (value.isNull()) {
      target.erase(name);
    } else {
      mergePatch(target[name], value);
    }
  }
}

}  // namespace ulp::json
