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

/// Durations of the intervals of one kind, in the selected range or the whole recording: a table by name with percentiles, and a histogram
/// or a chart of begins and durations for the chosen name or all names. It can look for periods. The intervals of the chosen bar, rectangle
/// or period are listed and marked on the time axis; choosing one goes to it. The calls of one function are a kind, too: they follow the
/// call at the cursor and the function that another view chose.
/// Threads: UI thread; computes on other threads.
class IntervalDurationsView : public PanelGround, public SavedViewState, public CommandProvider {
    Q_OBJECT

public:
    explicit IntervalDurationsView(ViewContext& context, QWidget* parent = nullptr);

    enum class Shape : std::uint8_t { Histogram, Scatter, Density };

    static IntervalKind callsOfFunction(); ///< Kind of the calls of one function; its id is empty.
    void setKind(std::optional<IntervalKind> kind); ///< Empty to stop all queries.
    void setShape(Shape shape);
    Shape shape() const { return m_shown; }
    QWidget* tools() const { return m_tools; } ///< Controls that choose how it is shown. The caller places them and takes ownership.
    IntervalRange& range() { return m_range; }
    QJsonObject save() const override;
    void restore(const QJsonObject& kept) override;
    ShownCommand shownCommand() const override;
    const std::vector<Periodicity>& periods() const { return m_found; } ///< The periods that were found on request.
    const DurationTable& table() const { return m_table; }
    const CallListModel& listed() const { return m_listed; }

signals:
    void nothingFound(); ///< The whole recording has been read and has no interval of the kind.

private:
    static constexpr std::size_t MostBuckets = 72;

    /// Input of the table's query.
    struct Question {
        std::shared_ptr<const Timeline> timeline;
        std::string kind;
        TimeRange range;
        bool operator==(const Question&) const = default;
    };
    /// A list of intervals to be shown.
    struct Wanted {
        QString words;
        QString search; ///< Name of the search hits, e.g. an expression.
        HistogramBucket bucket;
        std::function<bool(TimeRange)> is;
        std::string name; ///< Only intervals of this name; empty for all names.
        bool goesToFirst = false; ///< If true, goes to the first interval once they are listed.
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
    void showSteps();
    void showNothing();
    void answer(const Question& question, std::shared_ptr<const std::vector<DurationStats>> lines);
    void take(std::shared_ptr<const std::vector<DurationStats>> lines);
    void showWhetherAny();
    void choose(int line);
    IntervalQuery asked() const; ///< Requires m_answered.
    void showBuckets();
    bool areAllShown() const;
    std::string shownName() const; ///< Empty for all names.
    DensityGridScale gridScale(const Timeline& timeline) const;
    void fetchGrid();
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
    bool m_followsChosen = false; ///< True if another view chose the function, false if it follows the call at the cursor.
    std::optional<SampledFunction> m_function; ///< Function whose calls are shown, or were shown last; empty if none was.
    std::optional<Question> m_answered; ///< Question that the table answers; empty if nothing is shown.
    std::optional<DurationStats> m_chosen;
    std::shared_ptr<const ListedCalls> m_bucket; ///< Listed intervals; nullptr if none.
    DurationTable m_table;
    CallListModel m_listed;
    ColumnModel<QString> m_sentences;
    std::vector<Periodicity> m_found;
    std::uint64_t m_searchedCount = 0; ///< Number of intervals that were searched for periods.
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
    QString m_fullText; ///< Text of m_words before it is elided: what is listed, or how to list something.
    QTreeView* m_list;
    bool m_isTaking = false;
    bool m_isListing = false; ///< True while intervals are listed or being collected for the list.
    int m_listNeeds = 0; ///< Width in pixels that the first list needs.
    bool m_isListMeasured = false; ///< True if m_listNeeds was measured since the list appeared.
    std::array<QList<int>, 2> m_userSizes; ///< Splitter sizes that the user chose, without [0] and with [1] the list; empty if not changed.
    IntervalMarks m_marks;
    DebouncedQuery m_answer;
    LatestTask m_gridJob;
    LatestTask m_periodsJob;
    LatestTask m_listJob;
};

} // namespace helio
