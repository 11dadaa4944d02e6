#pragma once

#include "core/latency/intervals/density_grid.h"
#include "core/latency/periods/periodicity.h"
#include "widgets/async/debounced_query.h"
#include "widgets/controls/field_grid.h"
#include "widgets/docks/durations/call_list_model.h"
#include "widgets/docks/durations/duration_table.h"
#include "widgets/docks/durations/interval_marks.h"
#include "widgets/docks/durations/interval_range.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"
#include "widgets/workspace/view_roles.h"

#include <QList>

#include <array>
#include <optional>

class QSplitter;
class QStackedWidget;
class QTreeView;

namespace helio {

class CallSteps;
class DurationChart;
class EmptyPage;
class Pill;
class SampleModel;
class ScatterChart;

/// View of the durations of one kind of intervals, in the selected range or the whole recording: a table by name with percentiles, and a
/// histogram or a scatter chart of begins and durations, for one name or all names. On request it searches for periodicity. The
/// intervals of the selected bar, rectangle or period are listed and marked on the time axis; a click on an interval goes to it. If the
/// kind is the calls of a function, the function is that of the call at the cursor, or the one that another view selected.
/// Threads: UI thread; computes on other threads.
class IntervalDurationsView : public PanelGround, public SavedViewState, public CommandProvider {
    Q_OBJECT

public:
    explicit IntervalDurationsView(ViewContext& context, QWidget* parent = nullptr);

    enum class Shape : std::uint8_t { Histogram, Scatter, Density };

    static IntervalKind callsOfFunction(); ///< Returns the kind for the calls of one function; its id is empty.
    void setKind(std::optional<IntervalKind> kind); ///< Sets the kind; nullopt stops all queries.
    /// Selects the intervals with a name, without a host, of the kind that is shown or being queried; an empty name keeps the selection.
    /// `findsPeriods`: also searches them for periodicity.
    void showName(const std::string& name, bool findsPeriods);
    void setShape(Shape shape);
    Shape shape() const { return m_shown; }
    /// Controls for the presentation of the durations.
    /// Ownership: passes to the caller, who places them.
    QWidget* tools() const { return m_tools; }
    IntervalRange& range() { return m_range; }
    QJsonObject save() const override;
    void restore(const QJsonObject& kept) override;
    ShownCommand shownCommand() const override;
    const std::vector<Periodicity>& periods() const { return m_found; } ///< Periodicities that were found on the user's request.
    const DurationTable& table() const { return m_table; }
    const CallListModel& listed() const { return m_listed; }

signals:
    void nothingFound(); ///< Emitted when the whole recording was read without finding an interval of the kind.

private:
    static constexpr std::size_t MostBuckets = 72;

    /// Parameters of the table's query.
    struct Question {
        std::shared_ptr<const Timeline> timeline;
        std::string kind;
        TimeRange range;
        bool operator==(const Question&) const = default;
    };
    /// Request for a list of intervals.
    struct Wanted {
        QString words;
        QString search; ///< Search text in SearchHits for these intervals, which all views mark, e.g. an expression.
        HistogramBucket bucket;
        std::function<bool(TimeRange)> is;
        std::string name; ///< Name of the intervals to list; empty for all names.
        bool goesToFirst = false; ///< If true, goes to the first interval when the list is complete.
    };

    void makeTable();
    void makeChart();
    void makeTools();
    void makePeriods();
    void makeList();
    void wire();
    void showEvent(QShowEvent* event) override;
    void fetch();
    void fetchCalls(const Question& question);
    void follow(bool chosen);
    bool isOfFunction() const { return m_kind && m_kind->id.empty(); }
    void showNoCalls();
    ShownCommand callsCommand() const;
    QString shownQuery() const;
    void showSteps();
    void showNothing();
    void answer(const Question& question, std::shared_ptr<const std::vector<DurationStats>> lines);
    void take(std::shared_ptr<const std::vector<DurationStats>> lines);
    void showWhetherAny();
    void choose(int line);
    IntervalQuery asked() const; ///< Returns the query of the intervals in the table. Requires m_answered.
    void showBuckets();
    bool areAllShown() const;
    std::string shownName() const; ///< Name whose intervals are shown; empty for all names.
    DensityGridScale gridScale(const Timeline& timeline) const;
    void fetchGrid();
    int findWanted() const;
    void fetchPeriods();
    void showPeriods();
    void showSentences(const QStringList& sentences);
    void distributeHeight();
    void listSelected();
    void listBucket();
    void listPeriod(std::size_t place);
    void list(std::optional<Wanted> wanted);
    void goToLongest();
    void goTo(std::size_t call);
    void showCurrent();
    void say(const QString& words);
    void showTitle();
    bool isListShown() const;
    void showList();
    void hideList();
    void distributeWidth();
    int widthOfNames() const;
    int compactNameWidth(int needed, int room) const;
    void fitListWidth();
    bool eventFilter(QObject* object, QEvent* event) override;

    ViewContext& m_context;
    SampleModel& m_samples;
    IntervalRange m_range;
    std::optional<IntervalKind> m_kind;
    bool m_followsChosen = false; ///< True if another view selected the function; false if the function is that of the call at the cursor.
    std::optional<SampledFunction> m_function; ///< Function whose calls are shown or were shown last; nullopt if there was none.
    std::optional<Question> m_answered; ///< Parameters of the query that gave the contents of the table; nullopt if the table is empty.
    std::optional<DurationStats> m_chosen;
    std::string m_wantedName; ///< Name that showName() selects once the running query has it; empty if there is none.
    std::shared_ptr<const ListedCalls> m_bucket; ///< Intervals in the list; nullptr if there are none.
    DurationTable m_table;
    CallListModel m_listed;
    ColumnModel<QString> m_sentences;
    std::vector<Periodicity> m_found;
    std::uint64_t m_searchedCount = 0; ///< Number of intervals in the last search for periodicity.
    Shape m_shown = Shape::Histogram;
    EmptyPage* m_nothing;
    QSplitter* m_parts;
    QTreeView* m_lines;
    QStackedWidget* m_charts;
    DurationChart* m_chart;
    ScatterChart* m_times;
    QTreeView* m_periods;
    CallSteps* m_steps;
    QWidget* m_tools;
    Pill* m_shape;
    Pill* m_allNames;
    Pill* m_findPeriods;
    Pill* m_logLengths;
    Pill* m_logHeights;
    QLabel* m_title;
    QLabel* m_words;
    QString m_fullText; ///< Complete text of m_words, before eliding: what the list contains, or how to list intervals.
    QTreeView* m_list;
    bool m_isTaking = false;
    bool m_isListing = false; ///< True while intervals are listed or being collected for the list.
    int m_listNeeds = 0; ///< Width in pixels at which no text of the list is cut; the maximum of all lists so far.
    /// True if the list was widened to fit its texts. Done again only after the list was hidden, so that the chart does not move.
    bool m_isListWidthFitted = false;
    /// Splitter sizes that the user set: [0] without the list, [1] with the list; empty if the user did not change them.
    std::array<QList<int>, 2> m_userSizes;
    IntervalMarks m_marks;
    DebouncedQuery m_answer;
    LatestTask m_gridJob;
    LatestTask m_periodsJob;
    LatestTask m_listJob;
};

} // namespace helio
