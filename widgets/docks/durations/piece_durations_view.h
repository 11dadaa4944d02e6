#pragma once

#include "core/latency/intervals/piece_grid.h"
#include "core/latency/periods/piece_periods.h"
#include "widgets/async/fresh_answer.h"
#include "widgets/controls/field_grid.h"
#include "widgets/docks/durations/call_list_model.h"
#include "widgets/docks/durations/period_table.h"
#include "widgets/docks/durations/piece_marks.h"
#include "widgets/docks/durations/piece_range.h"
#include "widgets/docks/durations/piece_table.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

#include <QList>

#include <array>
#include <optional>

class QSplitter;
class QStackedWidget;
class QTreeView;

namespace helio {

class DurationChart;
class EmptyPage;
class Pill;
class TimesChart;

/// How long what is of one kind lasted, in the selected range or the whole recording: a table by name with percentiles, of the chosen
/// name a histogram, or when each of them, or of all names, began; what of that repeats; and what is in the chosen bar, rectangle or
/// period, which is marked on the time axis; choosing one of these goes there. All is computed off the UI thread. UI thread.
class PieceDurationsView : public PanelGround, public OffersCommand {
    Q_OBJECT

public:
    explicit PieceDurationsView(ViewContext& context, QWidget* parent = nullptr);

    enum class Shape : std::uint8_t { Histogram, Scatter, Density };

    void setKind(std::optional<IntervalKind> kind); ///< None: it asks for nothing.
    void setShape(Shape shape);
    Shape shape() const { return m_shown; }
    QWidget* tools() const { return m_tools; } ///< What chooses how it is shown; stands where there is room for it, with whoever takes it.
    PieceRange& range() { return m_range; }
    ShownCommand shownCommand() const override;
    const std::vector<PiecePeriod>& periods() const { return m_found; } ///< That were asked for.
    const PieceTable& table() const { return m_table; }
    const DurationChart& chart() const { return *m_chart; }

signals:
    void nothingFound(); ///< In the whole of a recording that is read to its end there is none of the kind.

private:
    /// What the table is of.
    struct Question {
        std::shared_ptr<const Timeline> timeline;
        std::string kind;
        TimeRange range;
        bool operator==(const Question&) const = default;
    };
    /// What is to be listed.
    struct Wanted {
        QString words;
        QString search; ///< As a search has it.
        LengthBucket bucket;
        std::function<bool(TimeRange)> is;
        std::string name; ///< Empty: of all names.
        bool goesToFirst = false; ///< Once they are listed.
    };

    void makeTable();
    void makeChart();
    void makeTools();
    void makePeriods();
    void makeList();
    void wire();
    void showEvent(QShowEvent* event) override;
    void fetch();
    void take(std::shared_ptr<const std::vector<NamedLengths>> lines);
    void showWhetherAny();
    void choose(int line);
    IntervalQuery asked() const; ///< Requires: an answer.
    void showBuckets();
    bool areAllShown() const;
    std::string shownName() const; ///< Empty: all names.
    PieceGridScale gridScale(const Timeline& timeline) const;
    void fetchGrid();
    void fetchPeriods();
    void showPeriods();
    void saySentences(const QStringList& sentences);
    void giveHeight();
    void listSelected();
    void listBucket();
    void listPeriod(std::size_t place);
    void list(std::optional<Wanted> wanted);
    void goToLongest();
    void goTo(int line);
    void showCurrent();
    void say(const QString& words);
    void showTitle();
    bool isListShown() const;
    void showList();
    void hideList();
    void giveRoom();
    int widthOfNames() const;
    int squeezedNames(int needed, int room) const;
    void widenList();
    bool eventFilter(QObject* object, QEvent* event) override;

    ViewContext& m_context;
    PieceRange m_range;
    std::optional<IntervalKind> m_kind;
    std::optional<Question> m_answered; ///< None: nothing is shown.
    std::optional<NamedLengths> m_chosen;
    std::shared_ptr<const BucketCalls> m_bucket; ///< Null: none.
    PieceTable m_table;
    CallListModel m_listed;
    PeriodTable m_sentences;
    std::vector<PiecePeriod> m_found;
    std::uint64_t m_lookedAt = 0; ///< So many pieces, for what repeats in them.
    Shape m_shown = Shape::Histogram;
    EmptyPage* m_nothing;
    QSplitter* m_parts;
    QTreeView* m_lines;
    QStackedWidget* m_charts;
    DurationChart* m_chart;
    TimesChart* m_times;
    QTreeView* m_periods;
    QWidget* m_tools;
    Pill* m_shape;
    Pill* m_allNames;
    Pill* m_findPeriods;
    Pill* m_logLengths;
    Pill* m_logHeights;
    QLabel* m_title;
    QLabel* m_words;
    QString m_said; ///< As a whole: what is listed, or how to.
    QTreeView* m_list;
    bool m_isTaking = false;
    bool m_isListing = false; ///< Something is listed, or about to be.
    int m_listNeeds = 0; ///< Pixels, for what was listed first.
    bool m_isListMeasured = false; ///< Since it was shown.
    std::array<QList<int>, 2> m_parted; ///< By a person, without the list and with it. Empty: not.
    PieceMarks m_marks;
    FreshAnswer m_answer;
    LatestJob m_gridJob;
    LatestJob m_periodsJob;
    LatestJob m_listJob;
};

} // namespace helio
