#pragma once

#include "app/cli/tsp/entry_ids.h"
#include "app/cli/tsp/served_folders.h"
#include "core/base/result.h"
#include "core/experiment/experiment.h"
#include "core/query/events/events.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace helio {

/// A trace that a client has named: a folder, file or archive, which may contain several recordings. Immutable.
struct ServedTrace {
    std::string uuid; ///< UUID, made of path and name, so that a restarted server uses it again.
    std::string name;
    std::filesystem::path path; ///< Resolved path.
    std::map<std::string, std::string> properties; ///< Facts for the user, e.g. hostname and format.
};

/// An experiment that a client has opened.
/// Threads: any.
class ServedExperiment {
public:
    ServedExperiment(std::string uuid, std::string name, std::vector<std::shared_ptr<const ServedTrace>> traces,
                     std::shared_ptr<Experiment> experiment)
        : m_uuid(std::move(uuid))
        , m_name(std::move(name))
        , m_traces(std::move(traces))
        , m_experiment(std::move(experiment))
    {
    }

    const std::string& uuid() const { return m_uuid; }
    const std::string& name() const { return m_name; }
    const std::vector<std::shared_ptr<const ServedTrace>>& traces() const { return m_traces; }
    EntryIds& ids() { return m_ids; }

    std::shared_ptr<const Timeline> timeline() const { return m_experiment->timeline(); }
    /// Returns the timeline with the rows that correlators make for a view; without them while the traces are indexed.
    /// Errors: Cancelled.
    Result<std::shared_ptr<const Timeline>> timelineOf(const std::string& view, std::stop_token stop) const;

    bool isIndexing() const { return !m_experiment->progress().isDone; }
    /// Returns why the traces could not be indexed completely; empty if they were, or if they are being indexed.
    std::string problem() const;
    std::uint64_t eventsRead() const { return m_experiment->progress().events; }

    /// Records that a client asked for the styles of an output while the traces were indexed, so that it may lack some of them.
    void noteEarlyStyles(const std::string& output);
    /// True if a client may lack styles of an output; states then contain them.
    bool hasEarlyStyles(const std::string& output) const;

    /// Calls `use` with the table of events. Other threads wait meanwhile.
    void withEvents(const std::shared_ptr<const Timeline>& timeline, const std::function<void(EventTable&)>& use);

private:
    const std::string m_uuid;
    const std::string m_name;
    const std::vector<std::shared_ptr<const ServedTrace>> m_traces;
    const std::shared_ptr<Experiment> m_experiment;
    EntryIds m_ids;
    mutable std::mutex m_stylesMutex; ///< Guards m_earlyStyles.
    std::set<std::string> m_earlyStyles; ///< Outputs for which noteEarlyStyles() was called.
    std::mutex m_mutex; ///< Guards m_events and m_eventsOf.
    std::unique_ptr<EventTable> m_events;
    std::shared_ptr<const Timeline> m_eventsOf; ///< Timeline of m_events.
};

/// Reason for which a trace or experiment was not added or removed.
struct ServedProblem {
    int status = 400; ///< Status of the HTTP response.
    std::string what;
    std::string existing{}; ///< UUID of the trace or experiment with the same name, if the name is taken; else empty.
};

/// The traces and experiments of a server.
/// Threads: any.
class ServedTraces {
public:
    using TracePtr = std::shared_ptr<const ServedTrace>;
    using ExperimentPtr = std::shared_ptr<ServedExperiment>;
    using OpenExperiment = std::function<Result<std::unique_ptr<Experiment>>(const std::vector<std::filesystem::path>&, std::stop_token)>;

    /// `open`: opens traces as an experiment that is not indexed yet.
    ServedTraces(ServedFolders folders, OpenExperiment open)
        : m_folders(std::move(folders))
        , m_open(std::move(open))
    {
    }

    std::vector<TracePtr> traces() const; ///< Returns the traces in the order of their names.
    TracePtr findTrace(std::string_view uuid) const; ///< Returns nullptr if there is none.
    /// Adds a trace; returns the existing one if path and name are the same.
    /// Cost: reads the trace's description; unpacks an archive.
    std::variant<TracePtr, ServedProblem> addTrace(const std::string& uri, const std::string& name, std::stop_token stop);
    std::variant<TracePtr, ServedProblem> removeTrace(std::string_view uuid);

    std::vector<ExperimentPtr> experiments() const; ///< Returns the experiments in the order of their names.
    ExperimentPtr findExperiment(std::string_view uuid) const; ///< Returns nullptr if there is none.
    /// Opens traces as an experiment and begins to index them; returns the existing experiment if name and traces are the same.
    std::variant<ExperimentPtr, ServedProblem> addExperiment(const std::string& name, const std::vector<std::string>& traces,
                                                             std::stop_token stop);
    std::variant<ExperimentPtr, ServedProblem> removeExperiment(std::string_view uuid);

private:
    const ServedFolders m_folders;
    const OpenExperiment m_open;
    mutable std::mutex m_mutex; ///< Guards m_traces and m_experiments.
    std::map<std::string, TracePtr, std::less<>> m_traces; ///< Traces by UUID.
    std::map<std::string, ExperimentPtr, std::less<>> m_experiments; ///< Experiments by UUID.
};

} // namespace helio
