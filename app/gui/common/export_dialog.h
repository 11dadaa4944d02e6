#pragma once

#include "core/export/export_format.h"

#include <QDialog>
#include <QStringList>

#include <optional>

class QComboBox;
class QLabel;

namespace helio {

/// Choices of the user for an export.
struct ExportChoice {
    const ExportFormat* format = nullptr;
    TimeRange range{Timestamp::min(), Timestamp::max()};
    QString host; ///< Label of the host; empty for all hosts.
};

/// Dialog for an export of the recording: format, time range and host.
class ExportDialog : public QDialog {
    Q_OBJECT

public:
    /// Time ranges that the dialog offers besides the whole recording; an empty range is not offered.
    struct Ranges {
        TimeRange visible{};
        TimeRange selected{};
    };

    /// `hosts`: labels of the hosts; a choice is offered if there are several.
    ExportDialog(const Ranges& ranges, const QStringList& hosts, QWidget* parent = nullptr);

    ExportChoice choice() const;

    /// Shows the dialog over the window. Returns nullopt if the user cancelled.
    static std::optional<ExportChoice> ask(const Ranges& ranges, const QStringList& hosts, QWidget& window);

private:
    QComboBox* addChoice(const QString& name);
    void showSummary();

    QComboBox* m_format;
    QLabel* m_summary;
    QComboBox* m_range;
    QComboBox* m_host = nullptr; ///< nullptr if there is only one host.
    Ranges m_ranges;
};

} // namespace helio
