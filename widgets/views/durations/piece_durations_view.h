#pragma once

#include "core/query/pieces/pieces.h"
#include "widgets/shell/field_grid.h"
#include "widgets/view/view_context.h"
#include "widgets/views/durations/call_list_model.h"
#include "widgets/views/durations/piece_table.h"
#include "widgets/work/fresh_answer.h"

#include <optional>

class QSplitter;
class QTreeView;

namespace helio {

class DurationChart;
class Pill;

/// How long segments, or messages on their way, of one kind lasted in the whole recording: a table by name with percentiles, of the chosen
/// name a histogram, and what is in the chosen bar; choosing one of these goes there. All is computed off the UI thread. UI thread.
class PieceDurationsView : public PanelGround {
    Q_OBJECT

public:
    explicit PieceDurationsView(ViewContext& context, QWidget* parent = nullptr);

    void setKind(std::optional<PieceKind> kind); ///< None: it asks for nothing.
    const PieceTable& table() const { return m_table; }
    const DurationChart& chart() const { return *m_chart; }

private:
    void makeTable();
    void makeChart();
    void makeList();
    void wire();
    void showEvent(QShowEvent* event) override;
    void fetch();
    void take(std::shared_ptr<const std::vector<NamedLengths>> lines);
    void choose(int line);
    void fetchLengths();
    void showBuckets();
    void fetchBucket();
    void goTo(int line);
    void showTitle();
    void giveRoom();
    int widthOfNames() const;
    bool eventFilter(QObject* object, QEvent* event) override;

    ViewContext& m_context;
    std::optional<PieceKind> m_kind;
    std::optional<NamedLengths> m_chosen;
    std::vector<LengthBucket> m_logarithmic; ///< Of the chosen name.
    std::vector<LengthBucket> m_linear;
    std::shared_ptr<const BucketCalls> m_bucket; ///< Null: none.
    PieceTable m_table;
    CallListModel m_listed;
    QSplitter* m_parts;
    QTreeView* m_lines;
    DurationChart* m_chart;
    Pill* m_logLengths;
    Pill* m_logHeights;
    QLabel* m_title;
    QLabel* m_foot;
    QTreeView* m_list;
    bool m_isTaking = false;
    bool m_isParted = false; ///< By a person.
    FreshAnswer m_answer;
    LatestJob m_lengthsJob;
    LatestJob m_bucketJob;
};

} // namespace helio
