#include "widgets/compare/functions/difference_functions_view.h"

#include "widgets/compare/functions/difference_table.h"
#include "widgets/controls/folding_layout.h"
#include "widgets/controls/pages.h"
#include "widgets/controls/pill.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <QLineEdit>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace helio {

DifferenceFunctionsView::DifferenceFunctionsView(DifferenceModel& model, QWidget* parent)
    : PanelGround(parent)
    , m_model(model)
    , m_title(makeElidingLabel(90, 12, 600, "text.primary"))
    , m_count(makeElidingLabel(60, 11.5, 400, "text.secondary"))
    , m_totals(new Pill(tr("With callees")))
    , m_copy(new Pill(tr("Copy as csv")))
    , m_filter(new QLineEdit)
    , m_stack(new QStackedWidget)
    , m_page(new EmptyPage)
    , m_table(new DifferenceTable(model))
{
    m_totals->setCheckable(true);
    m_totals->setToolTip(tr("The time of functions with what they called, not their own alone"));
    m_filter->setPlaceholderText(tr("Filter: function or object"));
    m_filter->setAccessibleName(tr("Filter of the functions"));
    m_filter->setClearButtonEnabled(true);
    auto* head = new FoldingLayout;
    for (QWidget* part : std::initializer_list<QWidget*>{m_title, m_count, m_totals, m_copy})
        head->addWidget(part);
    head->addStretch(1);
    head->addField(m_filter, 110, 220);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 6, 12, 6);
    layout->setSpacing(6);
    layout->addLayout(head);
    m_page->setInDock();
    m_stack->addWidget(m_page);
    m_stack->addWidget(m_table);
    layout->addWidget(m_stack, 1);
    setFocusProxy(m_table);
    model.serve(this); // Serves the page, because the table is hidden while it is empty.
    connect(&model, &DifferenceModel::shownChanged, this, &DifferenceFunctionsView::showState);
    connect(m_totals, &QAbstractButton::toggled, this, [this](bool isOn) { m_table->functions().setTotals(isOn); });
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) { m_table->functions().setFilter(text.trimmed()); });
    connect(m_copy, &QAbstractButton::clicked, m_table, &DifferenceTable::copyCsv);
    showState();
}

void DifferenceFunctionsView::showState()
{
    const DifferenceResult& shown = m_model.shown();
    m_title->setText(shown.name().isEmpty() ? tr("All samples") : shown.name());
    m_count->setText(basisText(shown));
    m_page->setText(shown.missing, shown.advice);
    m_stack->setCurrentIndex(shown.tree ? 1 : 0);
    for (QWidget* part : std::initializer_list<QWidget*>{m_title, m_count, m_totals, m_copy, m_filter})
        part->setVisible(shown.tree != nullptr);
}

QString basisText(const DifferenceResult& shown)
{
    if (!shown.tree)
        return {};
    const auto samples = [&](std::size_t side) { return countText(qint64(shown.sides[side].profile->samples)); };
    QString counts = DifferenceModel::tr("%1 and %2 samples").arg(samples(0), samples(1));
    if (shown.sides[0].isWithoutInlined || shown.sides[1].isWithoutInlined)
        counts += DifferenceModel::tr("; inlined functions count for their callers: %1 tells none")
                      .arg(shown.sides[0].isWithoutInlined ? QStringLiteral("B") : QStringLiteral("A"));
    if (shown.name().isEmpty() || shown.sides[0].isThread)
        return counts;
    const auto runs = [&](std::size_t side) {
        const std::uint32_t n = shown.sides[side].runs;
        return n == 1 ? DifferenceModel::tr("1 run") : DifferenceModel::tr("mean of %1 runs").arg(n);
    };
    return DifferenceModel::tr("%1 in A, %2 in B; %3").arg(runs(0), runs(1), counts);
}

} // namespace helio
