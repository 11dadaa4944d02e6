#pragma once

#include "core/profiling/samples/sampled_code.h"
#include "widgets/workspace/view_context.h"

#include <QWidget>

#include <optional>

class QLabel;

namespace helio {

class FieldGrid;

/// The sample next to the cursor: when, what ran, and its call stack; a click on a function shows its source.
class SampleBox : public QWidget {
    Q_OBJECT

public:
    explicit SampleBox(ViewContext& context, QWidget* parent = nullptr);

    /// Nothing hides it. `cursor`: where it was looked for.
    void setSample(std::optional<NamedSample> sample, Timestamp cursor);
    /// Again, in the theme and the format of times that are now.
    void refresh();

private:
    void openSource(const QString& frame);

    ViewContext& m_context;
    std::optional<NamedSample> m_sample;
    Timestamp m_cursor;
    QLabel* m_title;
    FieldGrid* m_fields;
};

} // namespace helio
