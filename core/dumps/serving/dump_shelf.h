#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "core/base/result.h"
#include "core/dumps/model/dump.h"
#include "core/remote/serving/dump_answers.h"

namespace ulp::dumps {

/// The dumps on this host that somebody elsewhere looks at: opened here, by what reads them here,
/// so that only what is said of them goes through. For one thread.
class DumpShelf final : public remote::DumpAnswers {
 public:
  [[nodiscard]] Result<remote::Frame> answer(const json::Value& question) override;
  [[nodiscard]] Result<tensors::Tensor> tensor(const json::Value& question) override;

 private:
  struct Opened {
    std::filesystem::path path;
    DumpPtr dump;
    std::map<std::size_t, DumpUnitPtr> units{};
    std::pair<std::size_t, std::string> text{kNone, {}};  ///< of the unit that was told last
  };
  struct Held {
    std::string key;
    std::string state;  ///< of its elements, as they were read
    tensors::Tensor tensor;
  };

  [[nodiscard]] Result<remote::Frame> dump(const std::filesystem::path& path);
  [[nodiscard]] Result<remote::Frame> unit(const json::Value& question);
  [[nodiscard]] Result<Opened*> opened(const std::filesystem::path& path);
  [[nodiscard]] Result<const Held*> held(const json::Value& question);
  [[nodiscard]] static Result<DumpUnitPtr> unitOf(Opened& opened, const json::Value& question);

  std::deque<Opened> m_opened;  ///< the newest first
  std::deque<Held> m_held;      ///< the newest first
};

}  // namespace ulp::dumps
