#pragma once

namespace helio {

/// Width in pixels below which a label column is narrow: rows have no meters, less indentation, and no titles above their ids.
constexpr int NarrowLabels = 224;

constexpr bool isNarrow(int labelWidth) { return labelWidth < NarrowLabels; }

/// Returns the indentation of rows for each level of the tree, in pixels.
constexpr int indentOf(int labelWidth) { return isNarrow(labelWidth) ? 8 : 16; }

/// Returns the distance between the right edges of the ids and of the column, in pixels.
constexpr int idRightOf(int labelWidth) { return isNarrow(labelWidth) ? 52 : 86; }

} // namespace helio
