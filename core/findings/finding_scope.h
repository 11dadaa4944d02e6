#pragma once

#include "core/experiment/timeline.h"
#include "core/findings/file_calls.h"
#include "core/query/rows/rows.h"

#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// The part of a recording in which finders look.
struct FindingRequest {
    std::shared_ptr<const Timeline> timeline;
    TimeRange window{Timestamp::min(), Timestamp::max()}; ///< Only what lies in this range counts.
    /// Predicate on rows of threads and CPUs: true for rows to examine; empty to examine all.
    std::function<bool(const Row&)> accepts{};
    std::stop_token stop{};
};

/// A request, with the facts that several finders need.
/// Threads: any thread at once, after construction.
class FindingScope {
public:
    /// Cost: makes the rows of all threads and CPUs.
    explicit FindingScope(const FindingRequest& request);

    const Timeline& timeline() const { return *m_request.timeline; }
    const std::shared_ptr<const Timeline>& sharedTimeline() const { return m_request.timeline; }
    TimeRange window() const { return m_window; } ///< The requested range, clipped to the recording.
    const std::stop_token& stop() const { return m_request.stop; }
    const std::vector<Row>& threads() const { return m_threads; } ///< Threads to examine that exist in the window.
    const std::vector<Row>& cpus() const { return m_cpus; } ///< CPUs to examine.
    bool accepts(const Row& row) const { return !m_request.accepts || m_request.accepts(row); }
    bool isOfAllRows() const { return !m_request.accepts; } ///< True if no row is left out.

    /// Returns the slow system calls in the window. Computed by the first finder that needs them.
    const FileCalls& fileCalls() const;

    /// Returns the least time that a finding must explain: 0.5 % of the window, at least 1 ms.
    Duration threshold() const;

private:
    FindingRequest m_request;
    TimeRange m_window;
    std::vector<Row> m_threads;
    std::vector<Row> m_cpus;
    mutable std::once_flag m_onceCalls;
    mutable FileCalls m_calls; ///< Result of fileCalls(); written once, guarded by m_onceCalls.
};

} // namespace helio
