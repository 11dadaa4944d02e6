#include "widgets/compare/functions/difference_functions.h"

#include "core/profiling/samples/amount_text.h"
#include "widgets/time/qt_text.h"

#include <algorithm>
#include <cmath>

namespace helio {

DifferenceFunctions::DifferenceFunctions()
{
    using Line = const FunctionDifference*;
    const auto column = [this](Column at, const QString& title, const char* color, const std::function<QString(const Line&)>& shown,
                               const std::function<double(const Line&)>& key, const QString& titleTip = {}) {
        const auto tip = [this](const Line& it) {
            const SampledFunction& function = functionOf(*it);
            return QStringLiteral("%1\n%2: %3")
                .arg(text(function.problem.empty() ? function.label() : withoutPlaces(function.problem)), changeText(*it),
                     text(certaintyText(z(*it))));
        };
        return TableColumn<Line>{title,
                                 shown,
                                 true,
                                 [key](const Line& l, const Line& r) { return key(l) < key(r); },
                                 tip,
                                 titleTip,
                                 [this, at, color](const Line& it) {
                                     return at >= Difference && std::abs(z(*it)) < NoiseZ ? QStringLiteral("text.hint") : QString(color);
                                 }};
    };
    const auto sizeOf = [this](double change) { return isDescending() ? std::abs(change) : change; };
    const auto ratio = [this](const Line& it) { return a(*it) > 0 ? b(*it) / a(*it) : b(*it) > 0 ? INFINITY : 0.0; };
    Columns columns{
        column(Function, tr("Function"), "text.primary", [this](const Line& it) { return text(functionOf(*it).label()); }, {}),
        column(
            A, tr("A"), "text.secondary", [this](const Line& it) { return text(amountText(a(*it), m_unit, m_largest)); },
            [this](const Line& it) { return a(*it); }),
        column(
            B, tr("B"), "text.secondary", [this](const Line& it) { return text(amountText(b(*it), m_unit, m_largest)); },
            [this](const Line& it) { return b(*it); }),
        column(
            Difference, tr("B \u2212 A"), "text.primary", [this](const Line& it) { return changeText(*it); },
            [this, sizeOf](const Line& it) { return sizeOf(b(*it) - a(*it)); },
            tr("Largest change first, whatever its sign; click again for the largest decrease")),
        column(
            Ratio, tr("Ratio"), "text.secondary", [this](const Line& it) { return text(ratioText(a(*it), b(*it))); }, ratio,
            tr("B divided by A")),
        column(
            Z, tr("z"), "text.secondary",
            [this](const Line& it) { return QString::number(z(*it), 'f', std::abs(z(*it)) < 9.95 ? 1 : 0).replace(u'-', u'\u2212'); },
            [this, sizeOf](const Line& it) { return sizeOf(z(*it)); },
            tr("Standard deviations from no difference, if samples are random; below 2 it may be chance"))};
    columns[Function].isNumber = false;
    columns[Function].isLess = [this](const Line& l, const Line& r) { return functionOf(*l).label() < functionOf(*r).label(); };
    setColumns(std::move(columns));
    sort(Difference, Qt::DescendingOrder);
}

void DifferenceFunctions::setDifference(const DifferenceResult& shown)
{
    const auto before = m_functions; // Keep the old functions alive until the items that point to them are replaced.
    m_tree = shown.functions ? shown.tree : nullptr;
    m_functions = shown.functions;
    m_unit = shown.unit;
    list();
}

void DifferenceFunctions::setTotals(bool areTotals)
{
    m_areTotals = areTotals;
    list();
}

void DifferenceFunctions::setFilter(const QString& filter)
{
    setShown([this, filter](const FunctionDifference* it) {
        return filter.isEmpty() || text(functionOf(*it).label()).contains(filter, Qt::CaseInsensitive)
            || text(functionOf(*it).module).contains(filter, Qt::CaseInsensitive);
    });
}

/// Fills the table with the functions that have amounts.
void DifferenceFunctions::list()
{
    m_largest = 0;
    double mostChange = 0;
    std::vector<const FunctionDifference*> lines;
    for (std::size_t i = 0; m_tree && i < m_functions->size(); ++i) {
        const FunctionDifference& it = (*m_functions)[i];
        m_largest = std::max({m_largest, a(it), b(it)});
        if (std::abs(z(it)) >= NoiseZ)
            mostChange = std::max(mostChange, std::abs(b(it) - a(it)));
        if ((!isNothing(sumOf(it).a) || !isNothing(sumOf(it).b)) && functionOf(it).code != CodeKind::Thread)
            lines.push_back(&it);
    }
    m_steps = DifferenceSteps::upTo(mostChange);
    setLines(std::move(lines));
}

int DifferenceFunctions::find(const SampledFunction& function) const
{
    return findRow([&](const FunctionDifference* it) { return identityOf(functionOf(*it)) == identityOf(function); });
}

QString DifferenceFunctions::changeText(const FunctionDifference& it) const
{
    return text(differenceText(b(it) - a(it), m_unit, m_largest));
}

QString DifferenceFunctions::csv() const
{
    QString csv = QStringLiteral("function,module,a,b,difference,ratio,z,samples_a,samples_b\n");
    for (int row = 0; row < rowCount(); ++row) {
        const FunctionDifference& it = *line(row);
        csv += QStringList{csvQuoted(text(functionOf(it).label())),
                           csvQuoted(text(functionOf(it).module)),
                           QString::number(a(it), 'g', 12),
                           QString::number(b(it), 'g', 12),
                           QString::number(b(it) - a(it), 'g', 12),
                           a(it) > 0 ? QString::number(b(it) / a(it), 'g', 6) : QString(),
                           QString::number(z(it), 'f', 2),
                           text(exactCount(sumOf(it).a.samples, m_tree->scale.divisorA)),
                           text(exactCount(sumOf(it).b.samples, m_tree->scale.divisorB))}
                   .join(u',')
            + u'\n';
    }
    return csv;
}

QVariant DifferenceFunctions::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    switch (role) {
    case Qt::FontRole: return fonts().at(11.5, index.column() == Difference && std::abs(z(*line(index.row()))) >= NoiseZ ? 600 : 400);
    case StepRole: return m_steps.stepOf(sumOf(index.row()), m_tree->scale);
    case ModuleRole: return text(functionOf(index.row()).module);
    default: return ColumnModel::data(index, role);
    }
}

QVariant DifferenceFunctions::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role == Qt::ForegroundRole)
        return theme().color(section == A ? "compare.a.text" : section == B ? "compare.b.text" : "text.secondary");
    return role == Qt::InitialSortOrderRole ? QVariant() : ColumnModel::headerData(section, orientation, role);
}

} // namespace helio
