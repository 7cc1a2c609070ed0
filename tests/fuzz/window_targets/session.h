#pragma once

#include <cstddef>
#include <cstdint>

#include "app/gui/session/saved_session.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// session.json. One that is read is written and read the same again; a window that changed nothing
/// leaves it as it is.
inline void fuzzSession(const std::uint8_t* data, std::size_t size) {
  const QByteArray json(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
  const auto session = app::savedSessionFromJson(json);
  if (!session) {
    require(!session.error().message().empty());
    return;
  }
  const QByteArray written = app::toJson(*session);
  const auto again = app::savedSessionFromJson(written);
  require(again && app::toJson(*again) == written);
  require(app::toJson(app::merged(*session, *again, *session)) == written);
}

}  // namespace ulp::test
