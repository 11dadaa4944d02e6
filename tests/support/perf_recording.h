#pragma once

#include "core/experiment/experiment.h"
#include "tests/support/real_traces.h"

#include <QTemporaryDir>

namespace helio {

/// Options to open a recording of a collection with the symbols kept beside it; without symbols if `collection` is empty.
inline ExperimentOptions recordingOptions(const QString& collection, const QString& storeFolder = {})
{
    ExperimentOptions options;
    options.storeDirectory = storeFolder.toStdString();
    if (!collection.isEmpty()) {
        options.symbols.directories = {(collection + "/bin").toStdString(), (collection + "/libs").toStdString()};
        options.symbols.kallsyms = (collection + "/text/kallsyms.txt").toStdString();
    }
    return options;
}

/// An opened and completely indexed recording of a program, which ran alone or four times in parallel, with the symbols kept beside it.
/// Requires: the collection is available.
class PerfRecording {
public:
    static constexpr const char* Collection = "solo-vs-parallel-perf";

    explicit PerfRecording(const QString& name)
    {
        const QString folder = realTrace(Collection);
        auto opened = Experiment::open({(folder + "/data/" + name + ".data").toStdString()}, recordingOptions(folder, m_stores.path()));
        if (!opened)
            qFatal("%s", opened.error().what.c_str());
        m_experiment = std::move(*opened);
        m_experiment->start();
        if (const auto done = m_experiment->wait(); !done)
            qFatal("%s", done.error().what.c_str());
        timeline = m_experiment->timeline();
    }

    std::shared_ptr<const Timeline> timeline;

private:
    QTemporaryDir m_stores;
    std::unique_ptr<Experiment> m_experiment;
};

} // namespace helio
