#pragma once

#include <functional>
#include <string>
#include <vector>

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtCore/QStringList>

namespace ulp::views {

class Background;

/// What every list of devices offers a study first: auto, cpu, cuda, cuda:all.
[[nodiscard]] QStringList usualDevices();

/// Asks the driver in the background for the CUDA devices that a study can run on. `uuids`: theirs
/// as a worker told them (JobQueue::gpus()); empty: none did. `offer` is called for one after the
/// other: its name in studies ("cuda:0"), and that with what it is, where that is known ("cuda:0
/// (NVIDIA H200)"). It is never called once `receiver` has died.
void offerCudaDevices(Background& background,
                      std::vector<std::string> uuids,
                      QObject* receiver,
                      std::function<void(const QString& device, const QString& text)> offer);

}  // namespace ulp::views
