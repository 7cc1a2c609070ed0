#pragma once

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/json/reader.h"
#include "core/json/writer.h"

/// Structs that are kept as JSON objects: one table of fields reads and writes them. Reader and
/// Writer say how errors, NaN and infinities are told. Any thread.
namespace ulp::json {

/// A field of the object that a Record is kept in.
template <class Record>
struct Field {
  using RecordType = Record;

  std::string_view name;
  /// Reads exactly one value into the record.
  void (*read)(Reader& json, Record& record);
  /// Writes key and value, or nothing where the record has none.
  void (*write)(Writer& json, std::string_view name, const Record& record);
};

/// The record that a table of fields is of.
template <const auto& kFields>
using RecordOfFields = typename std::remove_cvref_t<decltype(kFields)>::value_type::RecordType;

template <class Member>
struct MemberTraits;
template <class RecordType, class ValueType>
struct MemberTraits<ValueType RecordType::*> {
  using Record = RecordType;
  using Value = ValueType;
};
template <auto kMember>
using RecordOf = typename MemberTraits<decltype(kMember)>::Record;
template <auto kMember>
using ValueOf = typename MemberTraits<decltype(kMember)>::Value;

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = true;

/// Numbers by name, in the order in which they stand.
using NamedNumbers = std::vector<std::pair<std::string, double>>;

/// Reads the items of a list by `readItem(item)`.
template <class T, class ReadItem>
void readItems(Reader& json, std::vector<T>& items, const ReadItem& readItem) {
  constexpr std::size_t kFirst = 4;  // most lists are shapes of tensors: allocated once
  items.clear();
  json.readArray([&] {
    if (items.empty()) {
      items.reserve(kFirst);
    }
    readItem(items.emplace_back());
  });
}

/// Writes `[…]` of what `writeItem(item)` writes.
template <class Items, class WriteItem>
void writeItems(Writer& json, const Items& items, const WriteItem& writeItem) {
  json.beginArray();
  for (const auto& item : items) {
    writeItem(item);
  }
  json.endArray();
}

/// Reads the next value into its place: texts, numbers, lists of them, and objects that are maps by
/// name or NamedNumbers. A whole number that is too large for its place is an error (CorruptData).
template <class T>
void readInto(Reader& json, T& value) {
  if constexpr (kIsOptional<T>) {
    readInto(json, value.emplace());
  } else if constexpr (std::is_same_v<T, NamedNumbers>) {
    json.readObject([&](std::string_view name) {
      std::string key(name);
      value.emplace_back(std::move(key), json.readNumber());
    });
  } else if constexpr (kIsList<T>) {
    readItems(json, value, [&](auto& item) { readInto(json, item); });
  } else if constexpr (std::is_same_v<T, std::map<std::string, std::string>>) {
    json.readObject([&](std::string_view name) { readInto(json, value[std::string(name)]); });
  } else if constexpr (std::is_same_v<T, double>) {
    value = json.readNumber();
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    value = json.readCount();
  } else if constexpr (std::is_integral_v<T>) {
    const std::int64_t wide = json.readInteger();
    if (std::in_range<T>(wide)) {
      value = static_cast<T>(wide);
    } else {
      json.fail(ErrorCode::CorruptData, fmt::format("{} is too large here", wide));
    }
  } else {
    value = json.readString();
  }
}

/// Writes a value as readInto() reads it. An optional must have one.
template <class T>
void writeValue(Writer& json, const T& value) {
  if constexpr (kIsOptional<T>) {
    writeValue(json, *value);
  } else if constexpr (std::is_same_v<T, std::map<std::string, std::string>> ||
                       std::is_same_v<T, NamedNumbers>) {
    json.value([&] {
      for (const auto& [name, content] : value) {
        json.field(name, content);
      }
    });
  } else if constexpr (kIsList<T>) {
    writeItems(json, value, [&](const auto& item) { writeValue(json, item); });
  } else {
    json.value(value);
  }
}

/// Reads the value of a field that the table has; false: it has none of that name, and nothing was
/// read.
template <class Record, class Fields>
[[nodiscard]] bool readField(Reader& json,
                             Record& record,
                             const Fields& fields,
                             std::string_view name) {
  const auto field = std::ranges::find(fields, name, &Field<Record>::name);
  if (field == fields.end()) {
    return false;
  }
  field->read(json, record);
  return true;
}

/// Reads an object. Fields that the table lacks are of a newer writer, and passed over.
template <class Record, class Fields>
void readRecord(Reader& json, Record& record, const Fields& fields) {
  if constexpr (kIsOptional<Record>) {
    readRecord(json, record.emplace(), fields);
  } else if constexpr (kIsList<Record>) {
    readItems(json, record, [&](auto& item) { readRecord(json, item, fields); });
  } else {
    json.readObject([&](std::string_view name) {
      if (!readField(json, record, fields, name)) {
        json.skipValue();
      }
    });
  }
}

/// Writes the fields of an object that is open, but not the one that is called `leftOut`.
template <class Record, class Fields>
void writeFields(Writer& json,
                 const Record& record,
                 const Fields& fields,
                 std::string_view leftOut = {}) {
  for (const Field<Record>& field : fields) {
    if (field.name != leftOut) {
      field.write(json, field.name, record);
    }
  }
}

/// Writes an object, or a list of them.
template <class Record, class Fields>
void writeRecord(Writer& json,
                 const Record& record,
                 const Fields& fields,
                 std::string_view leftOut = {}) {
  if constexpr (kIsOptional<Record>) {
    writeRecord(json, *record, fields, leftOut);
  } else if constexpr (kIsList<Record>) {
    writeItems(json, record, [&](const auto& item) { writeRecord(json, item, fields, leftOut); });
  } else {
    json.value([&] { writeFields(json, record, fields, leftOut); });
  }
}

template <class Record>
bool isAlways(const Record& /*record*/) {
  return true;
}

/// Tells whether a member holds something: a text or list with content, a number other than 0.
template <auto kMember>
bool isGiven(const RecordOf<kMember>& record) {
  return record.*kMember != ValueOf<kMember>{};
}

/// Tells whether a field is written: where `kIsWritten` holds, and an optional where it has a
/// value.
template <auto kMember, bool (*kIsWritten)(const RecordOf<kMember>&)>
bool isFieldWritten(const RecordOf<kMember>& record) {
  if constexpr (kIsOptional<ValueOf<kMember>>) {
    return (record.*kMember).has_value() && kIsWritten(record);
  } else {
    return kIsWritten(record);
  }
}

/// Makes a field of a text, a number, or a list or map of them.
template <auto kMember, bool (*kIsWritten)(const RecordOf<kMember>&) = isAlways<RecordOf<kMember>>>
constexpr Field<RecordOf<kMember>> field(std::string_view name) {
  using Record = RecordOf<kMember>;
  return {name,
          [](Reader& json, Record& record) { readInto(json, record.*kMember); },
          [](Writer& json, std::string_view key, const Record& record) {
            if (isFieldWritten<kMember, kIsWritten>(record)) {
              json.key(key);
              writeValue(json, record.*kMember);
            }
          }};
}

/// Makes a field of an enumeration: toString() names its values, `kParse` finds one by name; a word
/// that it does not know stands for `kOther`.
template <auto kMember,
          auto kParse,
          ValueOf<kMember> kOther,
          bool (*kIsWritten)(const RecordOf<kMember>&) = isAlways<RecordOf<kMember>>>
constexpr Field<RecordOf<kMember>> enumField(std::string_view name) {
  using Record = RecordOf<kMember>;
  return {name,
          [](Reader& json, Record& record) {
            record.*kMember = kParse(json.readString()).value_or(kOther);
          },
          [](Writer& json, std::string_view key, const Record& record) {
            if (kIsWritten(record)) {
              json.field(key, toString(record.*kMember));
            }
          }};
}

/// Makes a field of JSON that is kept as it stands; where there is none, an object without fields.
template <auto kMember>
constexpr Field<RecordOf<kMember>> rawField(std::string_view name) {
  using Record = RecordOf<kMember>;
  return {name,
          [](Reader& json, Record& record) { record.*kMember = json.skipValue(); },
          [](Writer& json, std::string_view key, const Record& record) {
            json.key(key);
            const std::string_view kept = record.*kMember;
            json.raw(kept.empty() ? "{}" : kept);
          }};
}

/// Makes a field of a record with a table of its own, or of a list of them.
template <auto kMember,
          const auto& kFields,
          bool (*kIsWritten)(const RecordOf<kMember>&) = isAlways<RecordOf<kMember>>>
constexpr Field<RecordOf<kMember>> recordField(std::string_view name) {
  using Record = RecordOf<kMember>;
  return {name,
          [](Reader& json, Record& record) { readRecord(json, record.*kMember, kFields); },
          [](Writer& json, std::string_view key, const Record& record) {
            if (isFieldWritten<kMember, kIsWritten>(record)) {
              json.key(key);
              writeRecord(json, record.*kMember, kFields);
            }
          }};
}

/// Makes a field whose object holds fields of the record itself.
template <const auto& kFields>
constexpr Field<RecordOfFields<kFields>> groupField(std::string_view name) {
  using Record = RecordOfFields<kFields>;
  return {name,
          [](Reader& json, Record& record) { readRecord(json, record, kFields); },
          [](Writer& json, std::string_view key, const Record& record) {
            json.key(key);
            writeRecord(json, record, kFields);
          }};
}

}  // namespace ulp::json
