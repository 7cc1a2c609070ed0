#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/base/files/file_writer.h"
#include "core/base/result.h"
#include "core/remote/protocol/frame.h"
#include "core/remote/serving/job_watch.h"

namespace ulp::remote {

/// Keeps a folder here like one on a host, from what its JobWatch says. For one thread.
class RunMirror {
 public:
  /// The folder exists.
  explicit RunMirror(std::filesystem::path folder);

  /// Up to where the folder is like that of the host.
  [[nodiscard]] const KnownOfJob& known() const { return m_known; }
  /// A new attempt begins: it has said nothing yet.
  void beginAttempt();
  /// After a lost connection: what came of a file in part comes again as a whole.
  void beginConnection() { m_receiving.reset(); }

  /// What a frame was, for who shows it.
  struct Taken {
    std::string replaced{};  ///< name of a file that is new now; empty: none
    std::string events{};    ///< whole lines that the worker said
    std::string messages{};  ///< what it wrote to standard error
  };
  /// Writes what a frame holds. Errors: Io; CorruptData, the host speaks of what it may not.
  [[nodiscard]] Result<Taken> take(Frame frame);

 private:
  [[nodiscard]] Result<> append(const std::string& name, const Frame& frame);
  [[nodiscard]] Result<bool> receive(const std::string& name, const Frame& frame);

  struct Receiving {
    std::string name;
    std::string stamp;
    std::uint64_t size = 0;
    FileWriter writer;
  };

  std::filesystem::path m_folder;
  KnownOfJob m_known;
  std::optional<Receiving> m_receiving;
};

}  // namespace ulp::remote
