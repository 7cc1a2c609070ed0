#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <QtCore/QObject>
#include <QtCore/QPointer>
#include <QtCore/QString>

#include "core/base/barrier.h"

namespace ulp::views {

/// Makes the tag of work that is one object's alone, so that another object's does not replace it;
/// `what`: "read-mapping".
[[nodiscard]] QString workTagOf(const void* owner, const char* what);

/// Runs work off the GUI thread and brings its result back to it, a few tasks at a time, so that
/// long work does not hold up short. Work of one tag replaces earlier work of that tag: what waits
/// is dropped, what runs is asked to stop, and its result never arrives; the newer starts when the
/// older has ended. What work throws is its result where that can be an error, else failed() tells
/// it and `done` is not called.
class Background : public QObject {
  Q_OBJECT

 public:
  /// As long as nobody notices that a window is still there.
  static constexpr std::chrono::milliseconds kPatience{250};

  /// `patience`: how long to wait at the end for work that saves nothing.
  explicit Background(QObject* parent = nullptr, std::chrono::milliseconds patience = kPatience);
  /// Waits for what has to be saved, however long. Asks the rest to stop, as it asked what was
  /// cancelled, and waits only for its patience: a disk or a helper that hangs keeps no window
  /// open. Work that goes on then delivers nothing, and ends with the process, if not by itself.
  ~Background() override;
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// `work` runs on the background thread, `done` then on this object's thread, unless `receiver`
  /// has died or the work was replaced or cancelled.
  template <class T>
  void run(const QString& tag,
           QObject* receiver,
           std::function<T(const std::stop_token&)> work,
           std::function<void(T)> done) {
    post(tag,
         receiver,
         [tag, work = std::move(work), done = std::move(done)](const std::stop_token& stop,
                                                               const Publish& /*publish*/) {
           auto result = std::make_shared<T>(outcomeOf<T>(tag, [&] { return work(stop); }));
           return [result, done] { done(std::move(*result)); };
         });
  }
  /// The same for work that has something to show on its way: what it hands to the function that it
  /// is given reaches `news` in order, before `done`, under the same conditions.
  template <class T, class News>
  void run(const QString& tag,
           QObject* receiver,
           std::function<T(const std::stop_token&, const std::function<void(News)>&)> work,
           std::function<void(News)> news,
           std::function<void(T)> done) {
    post(tag,
         receiver,
         [tag, work = std::move(work), news = std::move(news), done = std::move(done)](
             const std::stop_token& stop, const Publish& publish) {
           const std::function<void(News)> publishItem = [&](News item) {
             auto shared = std::make_shared<News>(std::move(item));
             publish([shared, news] { news(std::move(*shared)); });
           };
           auto result =
               std::make_shared<T>(outcomeOf<T>(tag, [&] { return work(stop, publishItem); }));
           return [result, done] { done(std::move(*result)); };
         });
  }
  /// The same for work that saves what the user made: what waits is done even when this object dies
  /// first. Newer work of the tag still takes its place.
  template <class T>
  void save(const QString& tag,
            QObject* receiver,
            std::function<T()> work,
            std::function<void(T)> done) {
    post(
        tag,
        receiver,
        [tag, work = std::move(work), done = std::move(done)](const std::stop_token& /*stop*/,
                                                              const Publish& /*publish*/) {
          auto result = std::make_shared<T>(outcomeOf<T>(tag, work));
          return [result, done] { done(std::move(*result)); };
        },
        Kind::Saving);
  }
  void cancel(const QString& tag);
  /// Work of this tag waits or runs.
  [[nodiscard]] bool isBusy(const QString& tag) const { return m_expected.contains(tag); }

  [[nodiscard]] bool isIdle() const { return m_expected.empty(); }

 Q_SIGNALS:
  void busyChanged(const QString& tag, bool busy);
  /// Work, or what showed its result, threw what nothing else tells.
  void failed(const QString& tag, const QString& problem);

 private:
  using Deliver = std::function<void()>;
  using Publish = std::function<void(Deliver)>;
  using Work = std::function<Deliver(const std::stop_token&, const Publish&)>;
  enum class Kind : std::uint8_t { Looking, Saving };

  /// What is in front of an error that was thrown: the tag without its owner.
  [[nodiscard]] static std::string nameOf(const QString& tag);
  template <class T, class Body>
  static T outcomeOf(const QString& tag, const Body& body) {
    if constexpr (std::is_convertible_v<tl::unexpected<Error>, T>) {
      return behindBarrier(nameOf(tag), body);
    } else {
      return body();
    }
  }
  struct Entry {
    QString tag;
    std::uint64_t ticket = 0;
    Work work;
    Kind kind = Kind::Looking;
  };
  /// The newest work of a tag, and who waits for it.
  struct Expected {
    std::uint64_t ticket = 0;
    QPointer<QObject> receiver;
  };

  /// What the threads use, which may outlive this object.
  struct Shared {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::condition_variable ended;  ///< some work was
    Background* owner = nullptr;    ///< null: has died
    std::deque<Entry> queue;
    std::map<std::uint64_t, std::pair<Entry, std::stop_source>> running;  ///< by ticket

    /// The first that waits and whose tag is not being worked on; the mutex must be held.
    [[nodiscard]] std::deque<Entry>::iterator nextStartable();
    /// Something has to be saved; the mutex must be held.
    [[nodiscard]] bool isSaving() const;
    /// Runs the work; where it throws, what then tells so.
    [[nodiscard]] Deliver outcome(const Entry& entry,
                                  const Work& work,
                                  const std::stop_token& stop);
    /// Calls `arrived` on the owner's thread, if there still is one.
    void toOwner(std::function<void(Background&)> arrived);
    static void loop(const std::shared_ptr<Shared>& shared, const std::stop_token& shutdown);
  };

  void addThread();
  void post(const QString& tag, QObject* receiver, Work work, Kind kind = Kind::Looking);
  void dropQueued(const QString& tag);
  void arrive(const Entry& entry, const Deliver& deliver);
  /// Calls what the GUI thread shows of the work, unless who waited for it has died.
  void show(const Entry& entry, const QObject* receiver, const Deliver& deliver);
  /// Null: newer work has taken the entry's place, or it was cancelled.
  [[nodiscard]] const Expected* findExpected(const Entry& entry) const;

  std::map<QString, Expected> m_expected;  ///< by tag; GUI thread only
  std::uint64_t m_lastTicket = 0;
  std::chrono::milliseconds m_patience;
  std::shared_ptr<Shared> m_shared;
  std::vector<std::jthread> m_threads;
};

}  // namespace ulp::views
