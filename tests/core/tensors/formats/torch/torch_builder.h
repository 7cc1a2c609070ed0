#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "tests/core/tensors/archive/zip_builder.h"

namespace ulp::tensors {

/// Writes pickles instruction by instruction.
class PickleBytes : public Bytes {
 public:
  PickleBytes() { text("\x80\x02"); }
  PickleBytes& global(std::string_view module, std::string_view name) {
    return op("c").op(module).op("\n").op(name).op("\n");
  }
  PickleBytes& op(std::string_view code) {
    text(code);
    return *this;
  }
  PickleBytes& unicode(std::string_view value) {
    op("X");
    number(static_cast<std::uint32_t>(value.size()));
    return op(value);
  }
  PickleBytes& integer(std::int32_t value) {
    op("J");
    number(value);
    return *this;
  }
  PickleBytes& tuple(std::initializer_list<std::int32_t> values) {
    op("(");
    for (const std::int32_t value : values) {
      integer(value);
    }
    return op("t");
  }
  /// A float32 tensor on storage `key` of `count` elements.
  PickleBytes& tensor(std::string_view key,
                      std::int32_t count,
                      std::int32_t offset,
                      std::initializer_list<std::int32_t> shape,
                      std::initializer_list<std::int32_t> stride) {
    global("torch._utils", "_rebuild_tensor_v2").op("(");
    op("(").unicode("storage").global("torch", "FloatStorage").unicode(key).unicode("cpu");
    integer(count).op("tQ").integer(offset).tuple(shape).tuple(stride);
    return op("\x89").global("collections", "OrderedDict").op(")RtR");
  }
  [[nodiscard]] std::string end() { return op(".").content(); }
};

inline std::string numbers(std::initializer_list<float> values) {
  Bytes bytes;
  for (const float value : values) {
    bytes.number(value);
  }
  return bytes.content();
}

inline std::string archiveOf(const std::string& pickle, const std::string& storage = {}) {
  return zipOf({{"archive/data.pkl", pickle}, {"archive/data/0", storage}});
}

}  // namespace ulp::tensors
