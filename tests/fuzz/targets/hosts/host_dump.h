#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dumps/hosts/unit_json.h"
#include "core/json/dump.h"
#include "core/json/parse.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/targets/folder.h"

namespace ulp::test {

/// A unit whose tensors lie on a host.
class HostUnit final : public dumps::DumpUnit {
 public:
  [[nodiscard]] Result<tensors::Tensor> read(std::size_t /*row*/) const override {
    return fail(ErrorCode::NotFound, "lies on a host");
  }
};

/// What a host says of a dump and of its units, which comes back the same when it is sent on.
inline void fuzzHostDump(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzzText(data, size);
  HostUnit unit;
  const auto read = dumps::readUnitText(text, unit);
  require(read || !read.error().message().empty());
  if (read) {
    checkUnit(unit);
    HostUnit again;
    const std::string sent = dumps::unitText(unit);
    require(dumps::readUnitText(sent, again) && dumps::unitText(again) == sent);
  }
  const auto value = json::parse(text);
  if (!value) {
    return;
  }
  const auto dump = dumps::dumpIn(*value);
  require(dump || !dump.error().message().empty());
  if (dump) {
    const json::Value sent = dumps::dumpJson(*dump);
    const auto again = dumps::dumpIn(sent);
    require(again && json::dump(dumps::dumpJson(*again)) == json::dump(sent));
  }
}

}  // namespace ulp::test
