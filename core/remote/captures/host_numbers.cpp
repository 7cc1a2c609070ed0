#include "core/remote/captures/host_numbers.h"

#include <algorithm>
#include <utility>

#include "core/base/stop_scope.h"
#include "core/remote/captures/remote_tensor.h"

namespace ulp::remote {
namespace {

/// Null where it is not on a host.
const RemoteTensor* remoteOf(const tensors::Tensor& tensor) {
  return dynamic_cast<const RemoteTensor*>(tensor.parts.get());
}

}  // namespace

Result<std::optional<Numbers>> numbersThere(std::span<const tensors::Tensor* const> tensors,
                                            const json::Object& question,
                                            const std::stop_token& stop) {
  std::optional<StopScope> scope;
  if (stop.stop_possible()) {
    scope.emplace(stop);
  }
  if (std::ranges::all_of(tensors, [](const auto* each) { return isAllHere(*each); })) {
    return std::nullopt;
  }
  const RemoteTensor* const first = remoteOf(*tensors.front());
  const bool isOneHost = first != nullptr && std::ranges::all_of(tensors, [&](const auto* each) {
                           const RemoteTensor* const own = remoteOf(*each);
                           return own != nullptr && own->isOnHostOf(*first);
                         });
  if (isOneHost) {
    json::Object asked = question;
    asked["ask"] = "numbers";
    json::Array addresses;
    for (const tensors::Tensor* each : tensors) {
      json::Object address = remoteOf(*each)->address();
      address["shape"] = each->view.shape;
      addresses.emplace_back(std::move(address));
    }
    asked["tensors"] = std::move(addresses);
    auto answer = first->askHost(std::move(asked));
    if (answer) {
      return std::optional(Numbers(std::move(answer->bytes)));
    }
    // An older version there reads the tensors for this one, as before.
    if (answer.error().code() != ErrorCode::Unsupported) {
      return tl::unexpected(std::move(answer.error()));
    }
  }
  for (const tensors::Tensor* each : tensors) {
    ULP_TRY(tensors::bringAll(*each));
  }
  return std::nullopt;
}

}  // namespace ulp::remote
