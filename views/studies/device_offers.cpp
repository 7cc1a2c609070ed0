#include "views/studies/device_offers.h"

#include <string>
#include <utility>
#include <vector>

#include "runner/queue/resource_use.h"
#include "views/framework/threads/background.h"
#include "views/framework/words/utf8_text.h"

namespace ulp::views {

QStringList usualDevices() {
  return {QStringLiteral("auto"),
          QStringLiteral("cpu"),
          QStringLiteral("cuda"),
          QStringLiteral("cuda:all")};
}

void offerCudaDevices(Background& background,
                      std::vector<std::string> uuids,
                      QObject* receiver,
                      std::function<void(const QString& device, const QString& text)> offer) {
  background.run<std::vector<std::string>>(
      workTagOf(receiver, "name-gpus"),
      receiver,
      [uuids = std::move(uuids)](const std::stop_token& /*stop*/) {
        return queue::GpuMonitor().deviceNames(uuids);
      },
      [offer = std::move(offer)](const std::vector<std::string>& names) {
        for (std::size_t i = 0; i < names.size(); ++i) {
          const QString device = QStringLiteral("cuda:%1").arg(i);
          offer(device,
                names[i].empty() ? device
                                 : QStringLiteral("%1 (%2)").arg(device, utf8Text(names[i])));
        }
      });
}

}  // namespace ulp::views
