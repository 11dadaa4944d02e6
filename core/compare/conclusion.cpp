#include "core/compare/conclusion.h"

#include "core/compare/causes.h"
#include "core/compare/cpu_difference.h"
#include "core/compare/difference_text.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/messages.h"
#include "core/query/rows/recording_kind.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace helio {
namespace {

constexpr double SmallChange = 0.05; ///< Relative change of the CPU time below which the CPU times of both sides count as equal.
constexpr double AreBusy = 0.9; ///< Busy share of the CPUs above which they have no room for other work.

/// Returns a share as text: "98 %".
std::string percent(double share) { return std::to_string(std::lround(share * 100)) + " %"; }

std::string signedPercent(double share)
{
    const long rounded = std::lround(share * 100);
    return (rounded > 0 ? "+" : rounded < 0 ? "\u2212" : "\u00b1") + std::to_string(std::abs(rounded)) + " %";
}

std::string partOf(double share) { return std::abs(share - 0.5) < 0.02 ? "half the time" : percent(share) + " of the time"; }

std::string timeWords(Duration time) { return amountText(double(std::abs(time.count())), {DifferenceUnit::Kind::Time, {}}); }

/// Sums over the breakdown lines of one side, from which Explanation makes its sentences.
struct SideTimes {
    Duration whole{};
    Duration onCpu{};
    Duration waitsForCpu{};
    Duration preempted{};
    Duration notSampled{};
    Duration otherwiseOff{}; ///< Time in which the thread slept, was blocked, or waited for anything but a CPU.
    Duration unknown{};

    double share(Duration part) const { return whole > Duration::zero() ? double(part.count()) / double(whole.count()) : 0; }
};

SideTimes timesOf(const Breakdown& breakdown, Duration BreakdownLine::*side)
{
    SideTimes times;
    for (const BreakdownLine& line : breakdown.lines) {
        const Duration time = line.*side;
        times.whole += time;
        const StateCategory meaning = line.state.meaning;
        if (isOnCpu(meaning))
            times.onCpu += time;
        else if (isRunnable(meaning))
            times.waitsForCpu += time;
        else if (isOffCpu(meaning))
            (line.detail == NotSampled ? times.notSampled : times.otherwiseOff) += time;
        else
            times.unknown += time;
        if (meaning == StateCategory::Preempted)
            times.preempted += time;
    }
    return times;
}

/// Explains in sentences why the slower side takes longer.
class Explanation {
public:
    Explanation(const Breakdown& breakdown, const SideMeasurements& a, const SideMeasurements& b, const std::optional<CodeDifference>& code)
        : m_breakdown(breakdown)
        , m_code(code)
        , m_isOfB(breakdown.wallB >= breakdown.wallA)
        , m_slow(m_isOfB ? b : a)
        , m_fast(m_isOfB ? a : b)
        , m_time(timesOf(breakdown, m_isOfB ? &BreakdownLine::b : &BreakdownLine::a))
        , m_before(timesOf(breakdown, m_isOfB ? &BreakdownLine::a : &BreakdownLine::b))
    {
        const auto [cpuA, cpuB] = cpuTimes(a, b);
        m_cpu = m_isOfB ? cpuB : cpuA;
        m_cpuBefore = m_isOfB ? cpuA : cpuB;
    }

    std::string text() const
    {
        const std::string reason = isCpuTime(m_breakdown.basis) ? ofAllThreads() : this->reason();
        const std::string note = cutNote();
        return reason.empty() ? note.substr(std::min<std::size_t>(1, note.size())) : reason + note;
    }

private:
    /// Returns the conclusion if only the CPU time of all threads is known, but not what the threads waited for.
    std::string ofAllThreads() const
    {
        const Duration longer = wall() - wallBefore();
        const bool isAlike = longer < wallBefore() / 100;
        std::string words = (isAlike ? "Both sides take equally long. " : "") + threadsUsed();
        // Say how much longer the run took, unless the sentence before has already explained it by more CPU time.
        if (!isAlike && cpuChange() < SmallChange)
            words += std::string(cpuChange() > -SmallChange ? ", and" : ", yet") + " the run took " + timeWords(longer) + " longer";
        words += '.';
        if (areBusy())
            words += " Its CPUs were " + percent(std::floor(m_slow.busy * 100) / 100) + " busy.";
        const bool hasStates = m_breakdown.basis == BreakdownBasis::RecordedCpuTime;
        const std::string& command = m_slow.wakeUpsCommand;
        return words + " Wait causes were not recorded: record "
            + (hasStates ? "wake-ups, too" + (command.empty() ? "" : ": " + command) : "scheduler events") + '.';
    }

    /// Returns the change of CPU time, e.g. "In B, 4 threads used 81 % more CPU time than in A (+3.01 s): +3.00 s below shop::fold, of
    /// which memcmp +2.30 s".
    std::string threadsUsed() const
    {
        constexpr double Double = 1; // Minimum relative change that is written as a factor instead of a percentage.
        const double change = cpuChange();
        const std::string words = "In " + letter() + ", " + threadsWords() + " used ";
        if (m_cpuBefore <= Duration::zero())
            return words + timeWords(m_cpu) + " of CPU time, in " + other()
                + (m_breakdown.basis == BreakdownBasis::SampledCpuTime ? " none was sampled" : " none");
        if (std::abs(change) < SmallChange)
            return words + "as much CPU time as in " + other() + " (" + signedPercent(change) + ')';
        const std::string factor = change >= Double
            ? amountText(change + 1, {DifferenceUnit::Kind::Count, {}}) + " times the CPU time of " + other()
            : percent(std::abs(change)) + (change > 0 ? " more" : " less") + " CPU time than in " + other();
        return words + factor + " (" + differenceText(double((m_cpu - m_cpuBefore).count()), {DifferenceUnit::Kind::Time, {}}) + ')'
            + codeWords();
    }

    std::string threadsWords() const
    {
        const std::string count = m_slow.threads == 1 ? "1 thread" : std::to_string(m_slow.threads) + " threads";
        return count + (m_slow.threads == m_fast.threads ? "" : " (in " + other() + ' ' + std::to_string(m_fast.threads) + ')');
    }

    std::string codeWords() const
    {
        if (!m_code)
            return {};
        const double sign = m_isOfB ? 1 : -1;
        const auto time = [sign](double ns) { return differenceText(sign * ns, {DifferenceUnit::Kind::Time, {}}); };
        return ": " + time(m_code->total) + (m_code->isOwn ? " in " : " below ") + m_code->function
            + (m_code->leaf.empty() ? "" : ", of which " + m_code->leaf + ' ' + time(m_code->own));
    }

    double cpuChange() const { return m_cpuBefore > Duration::zero() ? double(m_cpu.count()) / double(m_cpuBefore.count()) - 1 : 0; }
    Duration wall() const { return m_isOfB ? m_breakdown.wallB : m_breakdown.wallA; }
    Duration wallBefore() const { return m_isOfB ? m_breakdown.wallA : m_breakdown.wallB; }
    bool isOfPath() const { return m_breakdown.basis == BreakdownBasis::CriticalPath; }
    /// Returns the grammatical subject for a sentence about the total time: "the critical path" if the breakdown is of a critical path;
    /// otherwise "it", which stands for the run.
    std::string subject() const { return isOfPath() ? "the critical path" : "it"; }

    std::string reason() const
    {
        if (m_time.whole - m_before.whole < m_before.whole / 100)
            return "Both sides take equally long.";
        if (m_slow.source != m_fast.source)
            return notAlike();
        struct Part {
            Duration more;
            std::string (Explanation::*words)() const;
        };
        const Part parts[] = {{m_time.waitsForCpu - m_before.waitsForCpu, &Explanation::waiting},
                              {m_time.notSampled - m_before.notSampled, &Explanation::notSampled},
                              {m_time.otherwiseOff - m_before.otherwiseOff, &Explanation::offCpu},
                              {m_time.onCpu - m_before.onCpu, &Explanation::onCpu},
                              {m_time.unknown - m_before.unknown, &Explanation::unknown}};
        const Part& most = *std::ranges::max_element(parts, {}, &Part::more);
        if (most.more <= Duration::zero())
            return {};
        const std::string first = "In " + letter() + ", " + (this->*most.words)() + '.';
        if (isOfPath())
            return m_cpu > Duration::zero() && m_cpuBefore > Duration::zero() ? first + ' ' + threadsUsed() + '.' : first;
        const bool isOfCode = most.words == &Explanation::onCpu || most.words == &Explanation::unknown;
        return isOfCode ? first : first + codeItself();
    }

    std::string letter() const { return m_isOfB ? "B" : "A"; }
    std::string other() const { return m_isOfB ? "A" : "B"; }
    bool areBusy() const { return m_slow.busy >= AreBusy; }

    /// Returns the start of a sentence, e.g. "4 processes shared 2 CPUs at 99 % utilization; each".
    std::string crowd() const
    {
        const std::string cpus = m_slow.cpus == 1 ? "1 CPU at " : std::to_string(m_slow.cpus) + " CPUs at ";
        const std::string busy = std::isnan(m_slow.busy) ? "" : cpus + percent(std::floor(m_slow.busy * 100) / 100) + " utilization";
        if (m_slow.atOnce > 1)
            return std::to_string(m_slow.atOnce) + " processes shared "
                + (busy.empty() ? std::to_string(m_slow.cpus) + " CPUs" : busy + others()) + "; each";
        return busy.empty() ? subject() : subject() + " ran on " + busy + " and";
    }

    /// Returns a clause about the share of the CPUs that other programs used, for example ", 20 % by other programs"; empty if the share is
    /// below 10 %.
    std::string others() const
    {
        constexpr double Worthwhile = 0.1;
        const Duration ofOne = m_cpu > Duration::zero() ? m_cpu : m_time.onCpu;
        const double rest = m_slow.busy - m_slow.atOnce * m_time.share(ofOne) / m_slow.cpus;
        return rest < Worthwhile ? std::string() : ", " + percent(rest) + " by other programs";
    }

    /// Returns a sentence about the runs that were not recorded completely; empty if all were.
    std::string cutNote() const
    {
        const auto of = [](const SideMeasurements& side, const std::string& name) {
            return side.cutRuns == 0
                ? std::string()
                : (side.runs == 1 ? "the run" : std::to_string(side.cutRuns) + " of " + std::to_string(side.runs) + " runs") + " in "
                    + name;
        };
        const std::string a = of(m_isOfB ? m_fast : m_slow, "A");
        const std::string b = of(m_isOfB ? m_slow : m_fast, "B");
        if (a.empty() && b.empty())
            return {};
        const bool isOne = (a.empty() || b.empty()) && (m_slow.cutRuns + m_fast.cutRuns == 1);
        return " The recording of " + a + (a.empty() || b.empty() ? "" : " and of ") + b + " is incomplete: how long "
            + (isOne ? "it" : "they") + " took in total is unknown.";
    }

    std::string notAlike() const
    {
        const auto of = [](SideMeasurements::Source source) {
            constexpr const char* Words[] = {"neither scheduler events nor samples of CPU time were", "scheduler events were",
                                             "only samples were"};
            return Words[static_cast<std::size_t>(source)];
        };
        const std::string& command = (m_slow.source == SideMeasurements::Source::States ? m_fast : m_slow).statesCommand;
        return letter() + " took " + timeWords(m_time.whole - m_before.whole) + " longer. The reason is unknown: in " + letter() + ' '
            + of(m_slow.source) + " recorded, in " + other() + ' ' + of(m_fast.source)
            + ", and these cannot be compared. Record both sides with scheduler events"
            + (command.empty() ? std::string(".") : ": " + command);
    }

    std::string waiting() const
    {
        std::string words = crowd() + " waited for a CPU " + partOf(m_time.share(m_time.waitsForCpu));
        const auto by = std::ranges::find_if(m_slow.preempters, [](const Preempter& it) { return !it.comm.empty(); });
        Duration all{};
        for (const Preempter& it : m_slow.preempters)
            all += it.time;
        if (by != m_slow.preempters.end() && all > Duration::zero() && 2 * m_time.preempted > m_time.waitsForCpu)
            words += ", preempted mostly by " + by->comm + " (" + percent(double(by->time.count()) / double(all.count())) + ')';
        return words;
    }

    /// Returns a clause about a run that had a CPU for only a part of the time, if the reason was not recorded. If the CPUs were busy and
    /// there were more runs than CPUs, the clause gives the busy CPUs as the reason.
    std::string notSampled() const
    {
        const double share = m_time.share(m_time.onCpu);
        if (areBusy() && m_slow.atOnce > m_slow.cpus)
            return crowd() + " got a CPU only " + partOf(share);
        return "it was on a CPU only " + partOf(share) + ' ' + "(in " + other() + ' ' + percent(m_before.share(m_before.onCpu))
            + "); the reason was not recorded: record scheduler events, too";
    }

    std::string offCpu() const
    {
        const BreakdownLine* most = nullptr;
        for (const BreakdownLine& line : m_breakdown.lines)
            if (isOffCpu(line.state.meaning) && line.detail != NotSampled && (!most || more(line) > more(*most)))
                most = &line;
        return subject() + " was " + most->state.name + (most->detail.empty() ? "" : " in " + most->detail) + " for "
            + timeWords(more(*most)) + " more; sleeping or blocked " + partOf(m_time.share(m_time.otherwiseOff));
    }

    std::string onCpu() const
    {
        const BreakdownLine* most = nullptr;
        for (const BreakdownLine& line : m_breakdown.lines)
            if (isOnCpu(line.state.meaning) && (!most || more(line) > more(*most)))
                most = &line;
        const bool isUser = most->state.meaning == StateCategory::OnCpuUser;
        const std::string where = isUser ? "in its own code" : most->state.meaning == StateCategory::OnCpu ? "" : "in the kernel";
        const bool hasDetail = !most->detail.empty() && most->detail != "sampled";
        const std::string part = where + (hasDetail ? (where.empty() ? "" : ": ") + most->detail : "");
        return std::string(isOfPath() ? "the critical path" : "the work itself") + " took " + timeWords(m_time.onCpu - m_before.onCpu)
            + " more CPU time (" + ratio() + ")" + (part.empty() ? "" : ", " + timeWords(more(*most)) + " of it " + part);
    }

    std::string unknown() const
    {
        return "what " + subject() + " did for another " + timeWords(m_time.unknown - m_before.unknown) + " is unknown";
    }

    std::string ratio() const
    {
        return m_before.onCpu > Duration::zero() ? ratioText(double(m_before.onCpu.count()), double(m_time.onCpu.count())) : "new";
    }

    std::string codeItself() const
    {
        if (m_before.onCpu <= Duration::zero() || m_time.onCpu <= Duration::zero())
            return {};
        const double change = double(m_time.onCpu.count()) / double(m_before.onCpu.count()) - 1;
        const std::string than = m_fast.atOnce == 1 && m_slow.atOnce > 1 ? "alone" : "in " + other();
        if (std::abs(change) < SmallChange)
            return " CPU time per process is nearly the same as " + than + " (" + signedPercent(change) + ").";
        return " The code itself used " + percent(std::abs(change)) + (change > 0 ? " more" : " less") + " CPU time than " + than + '.';
    }

    Duration more(const BreakdownLine& line) const { return m_isOfB ? line.difference() : -line.difference(); }

    const Breakdown& m_breakdown;
    const std::optional<CodeDifference>& m_code;
    bool m_isOfB; ///< True if B is the slower side.
    const SideMeasurements& m_slow;
    const SideMeasurements& m_fast;
    SideTimes m_time;
    SideTimes m_before;
    Duration m_cpu{}; ///< CPU time of all threads of one run of the slow side; the mean if the side has several runs.
    Duration m_cpuBefore{};
};

/// Returns the range with the most simultaneous runs, the last such range if there are several. Sets `count` to the number of runs.
TimeRange findPeakRange(std::span<const ProcessRun> runs, std::uint32_t& count)
{
    std::vector<Timestamp> begins;
    std::vector<Timestamp> ends;
    for (const ProcessRun& run : runs) {
        if (run.range.isEmpty())
            continue;
        begins.push_back(run.range.begin);
        ends.push_back(run.range.end);
    }
    std::ranges::sort(begins);
    std::ranges::sort(ends);
    count = 0;
    TimeRange best{};
    std::size_t ended = 0;
    for (std::size_t i = 0; i < begins.size(); ++i) {
        while (ends[ended] <= begins[i])
            ++ended;
        if (i + 1 - ended < count)
            continue;
        count = static_cast<std::uint32_t>(i + 1 - ended);
        // The runs that are active at begins[i] are all active until ends[ended], the first end after begins[i].
        best = {begins[i], ends[ended]};
    }
    return best;
}

} // namespace

SideMeasurements measureSide(const SideRuns& side, std::stop_token stop)
{
    using enum SideMeasurements::Source;
    SideMeasurements measures;
    const TimeRange range = findPeakRange(side.runs, measures.atOnce);
    for (const HostFacts& host : hostFacts(side.timeline))
        measures.cpus += host.cpus;
    const auto busy = computeBusyCpus(side.timeline, CpuWork::Busy, range, 1, stop);
    measures.busy =
        range.isEmpty() || measures.cpus == 0 ? std::numeric_limits<double>::quiet_NaN() : std::min(busy[0] / measures.cpus, 1.0);
    measures.preempters = preempters(side, stop);
    measures.wakeUpsCommand = adviseRecording(RecordableData::WakeUps, &side.timeline).command;
    measures.statesCommand = adviseRecording(RecordableData::SampledStates, &side.timeline).command;
    measures.source = side.threads.hasThreadStates ? States : side.threads.hasCpuTimeSamples ? Samples : None;
    measures.cpuTime = side.threads.cpuTime;
    measures.threads = side.threads.atWork;
    // If the user recorded only the program's threads, the recording begins and ends with the program, so a run that begins or ends with
    // the recording does not count as cut.
    measures.runs = static_cast<std::uint32_t>(side.runs.size());
    measures.cutRuns =
        hasSelectedThreadsOnly(side.timeline) ? 0 : static_cast<std::uint32_t>(std::ranges::count(side.runs, false, &ProcessRun::isWhole));
    return measures;
}

std::pair<Duration, Duration> cpuTimes(const SideMeasurements& a, const SideMeasurements& b)
{
    const bool areSampled = a.cpuTime.sampled > Duration::zero() && b.cpuTime.sampled > Duration::zero();
    return areSampled ? std::pair(a.cpuTime.sampled, b.cpuTime.sampled) : std::pair(a.cpuTime.recorded, b.cpuTime.recorded);
}

std::string conclusion(const Breakdown& breakdown, const SideMeasurements& a, const SideMeasurements& b,
                       const std::optional<CodeDifference>& code)
{
    return breakdown.lines.empty() ? std::string() : Explanation(breakdown, a, b, code).text();
}

TimeRange findExampleRange(const SideRuns& side, const Breakdown& breakdown, TimeRange within, Duration length, std::stop_token stop)
{
    const Duration whole = within.duration();
    length = std::min(length, whole);
    const Timestamp middle = within.begin + (whole - length) / 2;
    if (breakdown.lines.empty() || length <= Duration::zero())
        return {middle, middle + length};
    const std::string& state = breakdown.lines.front().state.name;
    std::vector<Duration> sums(std::size_t(std::min<std::int64_t>(100'000, whole / length)));
    const Duration step = whole / std::max<std::int64_t>(1, std::int64_t(sums.size()));
    const auto add = [&](TimeRange range) {
        for (auto i = std::size_t((range.begin - within.begin) / step); i < sums.size(); ++i) {
            const Timestamp begin = within.begin + step * std::int64_t(i);
            if (begin >= range.end)
                break;
            sums[i] += range.clippedTo({begin, begin + step}).duration();
        }
    };
    for (const TimedThread& it : side.timed.empty() ? std::vector<TimedThread>() : side.timed.front()) {
        const auto take = [&](const Interval& interval) {
            if (stateName(side.timeline, it.thread.ref, interval.state) == state)
                add(interval.range);
        };
        for (const TimeRange& range : it.ranges)
            if (range.overlaps(within))
                forEachRowInterval(side.timeline, it.thread, range.clippedTo(within), take, stop);
    }
    const auto most = std::ranges::max_element(sums);
    if (most == sums.end() || *most == Duration::zero())
        return {middle, middle + length};
    const Timestamp begin = within.begin + step * (most - sums.begin());
    return {begin, begin + length};
}

} // namespace helio
