#include "core/base/text/name_limit.h"

#include <fmt/format.h>

#include "core/base/text/elided.h"

namespace ulp {

Result<> checkNameLength(std::string_view name, std::size_t most) {
  if (name.size() <= most) {
    return {};
  }
  return fail(ErrorCode::Unsupported,
              fmt::format("'{}': a name has {} bytes; names of more than {} are not read",
                          elided(name),
                          name.size(),
                          most));
}

}  // namespace ulp
