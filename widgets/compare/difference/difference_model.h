#pragma once

#include "core/compare/difference_basis.h"
#include "core/compare/off_cpu_stacks.h"
#include "core/profiling/samples/sample_messages.h"
#include "widgets/async/shared_query.h"
#include "widgets/compare/compare_context.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace helio {

/// Options of a comparison of samples: which samples are compared, and how the amounts of both sides are made comparable.
struct DifferenceSettings {
    using Per = DifferenceBasis::Per;
    DifferenceBasis basis;
    bool isOfAll = false; ///< True to compare all samples of a side, false to compare only the samples of the subject.
    bool isInverted = false; ///< True for an inverted tree, from the sampled functions to their callers.
    std::string kind; ///< Name of the sampled event; empty for the first event that is sampled on both sides.
    bool operator==(const DifferenceSettings&) const = default;
};

/// Samples of one side and the names of their functions.
struct ComparedSide {
    std::shared_ptr<const Timeline> timeline;
    std::shared_ptr<const StackProfile> profile;
    std::shared_ptr<const StackNames> names;
    MissingSymbols nameless; ///< Samples in functions that symbols could name.
    /// Time in which the compared runs were not on a CPU, which samples do not show; empty if several threads are compared.
    std::vector<OffCpuStack> offCpu;
    SampleKind kind;
    bool isWithoutInlined = false; ///< True if inlined functions are not shown, because the other side has no names of inlined functions.
    std::uint32_t runs = 0; ///< Number of runs of the program; 1 for a thread, or if all samples are compared.
    bool isThread = false; ///< True if one thread is compared instead of the runs of a program.
    /// True if, on either side, samples of CPU time are from several threads. Their sum is then not a part of the wall time.
    bool hasSeveralThreads = false;
    QString name; ///< Name of the subject, e.g. "solver" or "solver 8812"; empty if all samples are compared.
};

/// Result of a comparison of samples, as shown by the views. Its content does not change: DifferenceModel makes a new object for other
/// samples or other settings.
struct DifferenceResult {
    std::array<ComparedSide, 2> sides;
    DifferenceSettings choices;
    std::shared_ptr<const DifferenceTree> tree; ///< Top-down tree; nullptr if there is nothing to show.
    std::shared_ptr<const DifferenceTree> graph; ///< Tree to draw: the inverted tree if choices.isInverted, otherwise `tree`.
    std::shared_ptr<const std::vector<FunctionDifference>> functions;
    DifferenceUnit unit;
    /// Function whose source is shown first, from findSourceFunction(); nullopt if there is none.
    std::optional<SampledFunction> source;
    /// Returns the named function of the program itself that has the most time in B, callees included. Functions with hardly any own time
    /// do not count. nullptr if there is none.
    const SampledFunction* findBusiestOwnFunction() const;
    /// Returns findBusiestOwnFunction(). If this function is in a header of the system or the compiler, returns instead its nearest caller
    /// in the program that is not in such a header, on the path with the most time in B, if there is such a caller. nullptr if there is no
    /// busiest function.
    const SampledFunction* findSourceFunction(const std::function<bool(const SampledFunction&)>& isInSystemHeader) const;
    QString name() const; ///< Returns the name of the subjects, e.g. "solver", or "worker 12 and worker 15" for two threads.
    /// True if amounts are CPU time of all threads of one run, instead of wall time.
    bool isOfThreadsTime() const
    {
        return !choices.isOfAll && sides[0].hasSeveralThreads && choices.basis.canAddOffCpuTime(sides[0].kind, sides[1].kind);
    }

    QString missing; ///< Reason for the user why there is nothing to show; empty if there is something to show.
    QString advice;
    bool canCompareAll = false; ///< True if there are samples, but none of the subject: the user may compare all samples instead.
};

/// Frees the parts of a comparison that are not used elsewhere.
/// Threads: frees them on another thread.
void freeDifference(DifferenceResult difference);

/// Collects and names the samples of both sides in the compared ranges, and compares them: the samples of the selected program, thread or
/// call, or all samples. This is done once for all views, and only while a view is visible. A comparison is shown only after all names are
/// loaded, because the addresses of a function differ between two runs.
/// Threads: UI thread; compares on another thread.
class DifferenceModel : public SharedQuery {
    Q_OBJECT

public:
    explicit DifferenceModel(CompareContext& context);

    CompareContext& context() { return m_context; }
    const DifferenceResult& shown() const { return m_shown; }
    const DifferenceSettings& choices() const { return m_choices; }
    void setChoices(const DifferenceSettings& choices);
    std::vector<SampleKindFacts> kinds() const; ///< Returns the sampled events that both sides have.

    /// Function that the user selected in a view; all views highlight it.
    const std::optional<SampledFunction>& function() const { return m_function; }
    void chooseFunction(const SampledFunction& function);
    /// Requests to show the source lines of `function`.
    void openSource(const SampledFunction& function);

signals:
    void shownChanged();
    void choicesChanged();
    void functionChosen();
    void sourceRequested();

private:
    struct Question;

    void ask() override;
    void compareAgain();
    static DifferenceResult answer(const Question& question, std::stop_token stop);
    static std::array<ComparedSide, 2> collect(const Question& question, std::stop_token stop, DifferenceResult& missing);
    static DifferenceResult compare(std::array<ComparedSide, 2> sides, const DifferenceSettings& choices, std::stop_token stop);
    void take(DifferenceResult shown);

    CompareContext& m_context;
    DifferenceResult m_shown;
    DifferenceSettings m_choices;
    std::optional<SampledFunction> m_function;
};

} // namespace helio
