#pragma once

#include <vector>

#include <QtCore/QJsonArray>

#include "runner/queue/job_state.h"

namespace ulp::queue {

/// Requests as they are kept between two sessions.
[[nodiscard]] QJsonArray toJson(const std::vector<JobRequest>& requests);
/// Reads what toJson() wrote; an entry that it cannot have written is left out.
[[nodiscard]] std::vector<JobRequest> requestsFromJson(const QJsonArray& json);

}  // namespace ulp::queue
