#pragma once

#include "core/profiling/samples/source_text.h"
#include "widgets/workspace/view_context.h"

#include <QDialog>

class QLineEdit;
class QListWidget;

namespace helio {

/// Dialog for the folders of sources: shows where a missing source was searched, and lets the user choose its file or folder.
class SourcePathsDialog : public QDialog {
    Q_OBJECT

public:
    /// `missing`: source to find; empty for none.
    SourcePathsDialog(ViewContext& context, const SourceText& missing, QWidget* parent = nullptr);

    const SourcePaths& paths() const { return m_paths; }
    QString editor() const;

private:
    void fill();
    void locate();
    void addFolder();
    void removeChosen();

    ViewContext& m_context;
    SourceText m_missing;
    SourcePaths m_paths;
    QListWidget* m_list;
    QLineEdit* m_editor;
};

} // namespace helio
