#pragma once

#include "app/cli/commands/latency_options.h"
#include "app/cli/selection/chosen_analyses.h"
#include "app/cli/selection/row_selection.h"
#include "core/latency/intervals/lengths_by_name.h"
#include "core/latency/intervals/state_runs.h"
#include "core/latency/pairs/event_pairs.h"
#include "core/network/transits.h"
#include "core/query/segments/segments.h"
#include "core/query/segments/stays.h"
#include "core/virtualization/machine_names.h"
#include "core/virtualization/stolen_clock.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio {

/// A segment, a whole interval of a state, what several are together, a thread's wait, or that for a CPU once it is woken, what lasted from
/// an event to another, or a packet's way.
struct LatencyPiece {
    TimeRange range; ///< Of a packet it may end before it begins.
    std::string_view name; ///< Of a state's interval: what it is in detail; of two events: the value that both have; of a packet: its
                           ///< connection and direction; else its row's label.
    const Row& row; ///< Of a segment on no row: its trace and host alone. Of two events: the first one's thread and CPU; of a packet: the
                    ///< sender's.
    std::optional<std::int64_t> value; ///< Of a segment whose kind has values.
    bool isOfAll = false; ///< Of a segment that all traces together have.
    std::string_view fields{}; ///< Of a segment that contains some: k=v;k=v.
    std::optional<CallPart> call{}; ///< Of what is named by a function.
    std::optional<Duration> error{}; ///< Of a packet: what its length is right within; Duration::max(): not known.
    std::string_view machine{}; ///< The virtual machine that it is of. Empty: none.
    Duration stolen{}; ///< So much of it is left out.

    Duration length() const { return lengthOf(range) - stolen; }
};

/// What --of asks for, of the rows and with the filter that were asked for. One thread; the options outlive it.
class LatencyPieces {
public:
    /// Requires: one of the views, or all that there are.
    LatencyPieces(const LatencyOptions& options, std::shared_ptr<const Timeline> timeline, std::vector<std::string> views);

    /// An error where there is nothing of the kind; it names what there is, with what else `askable` says could be asked for.
    Status check(const std::function<AskableAnalyses()>& askable) const;

    /// What the values of its segments are; empty: nothing has one.
    const std::string& valueTitle() const { return m_valueTitle; }

    /// So many messages of the window were cut or joined on their way: their parts are another kind, whose id comes with it. Nothing: none.
    std::optional<std::pair<std::string, std::uint64_t>> parts(TimeRange window) const;

    /// Those that lie in the window as a whole, in time order. In sums those of one name are apart by machine, or by host as asked for.
    /// Says how many they are; where there is none, people are told what was not recorded, as far as that is known.
    std::uint64_t each(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const;

private:
    /// A row that pieces are on, asked about once. Its facts point to it: it stays where it is.
    struct KnownRow {
        Row row;
        bool isChosen = false;
        RowFacts facts;
        std::string machine{};
        std::optional<GuestThreadAt> inside{}; ///< Of a vCPU, where they are listed.
        std::string fields{}; ///< Of the last one: who was inside.
    };

    void leaveOutStolen(LatencyPiece& piece, StolenClock& clock) const;
    void eachLeft(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const;
    void eachNamed(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const;
    void eachOf(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const;
    void eachSegmentIn(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const;
    void eachFunctionIn(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const;
    void eachPairIn(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const;
    void eachTransitIn(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const;
    void eachRunIn(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const;
    void eachTimerIn(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const;
    void eachWaitIn(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const;
    void eachThrottledIn(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const;
    void eachWakeupIn(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const;
    std::vector<RowState> rowsWithState() const;
    void eachStayIn(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const;
    std::vector<Row> chosenThreads(std::map<TrackRef, KnownRow>& known) const;
    bool isInView(const Row& row) const;
    void know(KnownRow& it, Row row) const;
    void knowMachine(KnownRow& it, TrackRef row) const;
    class PlaceRows;
    Status checkCpu() const;
    std::string missingField() const;
    bool isOfCpus() const;
    std::string kindsThere(const std::vector<std::string>& patterns) const;

    const LatencyOptions& m_options;
    std::shared_ptr<const Timeline> m_shared;
    const Timeline& m_timeline;
    std::vector<std::string> m_views;
    RowSelection m_selection;
    std::string m_valueTitle;
    bool m_isOfSegments = false;
    bool m_isOfFunctions = false; ///< Its segments are named by frames.
    bool m_isOfCalls = false;
    bool m_hasFields = false; ///< Its segments contain some.
    std::optional<StateRun> m_run; ///< What rows' states are together.
    bool m_isOfWakeups = false;
    bool m_isByPriority = false; ///< They are summed up by priorities.
    bool m_isOfTimers = false;
    bool m_isOfWaits = false;
    bool m_isOfThrottled = false; ///< Of processes that are kept off idle CPUs.
    bool m_isOfTransits = false; ///< Of messages between hosts.
    std::optional<Result<EventPairs>> m_pairs; ///< Where two events are named.
    static constexpr std::string_view OfState = "state:";
    std::string m_state; ///< Of "state:NAME". Empty: none.
    std::optional<MachineNames> m_machines; ///< Where segments are of them.
};

} // namespace helio
