#pragma once

#include "core/compare/difference_basis.h"
#include "core/compare/off_cpu_stacks.h"
#include "widgets/async/shared_query.h"
#include "widgets/compare/compare_context.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace helio {

/// Selects the samples that are compared, and how the amounts of both sides are made comparable.
struct DifferenceSettings {
    using Per = DifferenceBasis::Per;
    DifferenceBasis basis;
    bool isOfAll = false; ///< True: all samples of a side are compared. False: only those of the subject.
    bool isInverted = false; ///< True: the tree leads from the sampled functions to their callers.
    std::string kind; ///< Name of the sampled event; empty for the first event that both sides have.
    bool operator==(const DifferenceSettings&) const = default;
};

/// The samples of one side and the names of their functions.
struct ComparedSide {
    std::shared_ptr<const Timeline> timeline;
    std::shared_ptr<const StackProfile> profile;
    std::shared_ptr<const StackNames> names;
    /// Wall time of the compared runs in which they have no samples. Empty if several threads are compared.
    std::vector<OffCpuStack> offCpu;
    SampleKind kind;
    bool isWithoutInlined = false; ///< True if inlined functions are left out because the other side names none.
    std::uint32_t runs = 0; ///< Number of runs of the program; 1 for a thread or for all samples.
    bool isThread = false; ///< True if one thread is compared, not the runs of a program.
    /// True if the samples of time are CPU time of several threads, on either side, and so are no part of the wall time.
    bool hasSeveralThreads = false;
    QString name; ///< Name of the subject, e.g. "solver" or "solver 8812"; empty if all samples are compared.
};

/// The comparison of both sides, as the views show it. A value type: DifferenceModel makes a new object for other samples or choices.
struct DifferenceResult {
    std::array<ComparedSide, 2> sides;
    DifferenceSettings choices;
    std::shared_ptr<const DifferenceTree> tree; ///< Top-down tree; nullptr if there is nothing to show.
    std::shared_ptr<const DifferenceTree> graph; ///< Tree to draw: inverted if choices.isInverted, else the same as `tree`.
    std::shared_ptr<const std::vector<FunctionDifference>> functions;
    DifferenceUnit unit;
    /// Returns the function to show the source of first: it belongs to the program itself, spends a part of its time itself, and has the
    /// most time in B, callees included. nullptr if there is none.
    const SampledFunction* findBusiestOwnFunction() const;
    QString name() const; ///< Name of both subjects, e.g. "solver", or "worker 12 and worker 15" for two threads.
    /// True if amounts are CPU time of all threads of one run, not wall time.
    bool isOfThreadsTime() const
    {
        return !choices.isOfAll && sides[0].hasSeveralThreads && choices.basis.canAddOffCpuTime(sides[0].kind, sides[1].kind);
    }

    QString missing; ///< Why there is nothing to show, for the user; empty if there is something to show.
    QString advice;
    bool canCompareAll = false; ///< True if there are samples, but none of the subject.
};

/// Frees the parts of the comparison that nothing else holds. Threads: frees them on another thread.
void freeDifference(DifferenceResult difference);

/// Collects, names and compares the samples of both sides within the compared ranges, of the subject or all of them. It does so once for
/// all views, and only while one of them is visible. A comparison is shown only when all names are known, because addresses of two runs do
/// not match.
/// Threads: UI thread; compares on another thread.
class DifferenceModel : public SharedQuery {
    Q_OBJECT

public:
    explicit DifferenceModel(CompareContext& context);

    CompareContext& context() { return m_context; }
    const DifferenceResult& shown() const { return m_shown; }
    const DifferenceSettings& choices() const { return m_choices; }
    void setChoices(const DifferenceSettings& choices);
    std::vector<SampleKindFacts> kinds() const; ///< Sampled events that both sides have.

    /// The function that the user chose in a view; all views highlight it.
    const std::optional<SampledFunction>& function() const { return m_function; }
    void chooseFunction(const SampledFunction& function);
    /// Shows the source lines of `function`.
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
