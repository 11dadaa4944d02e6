#pragma once

#include "core/store/assembly/store_facts.h"
#include "core/store/file/byte_codec.h"

namespace helio {

// The sections that hold a store's facts. Readers take any bytes, and are false where these are no such section; numbers that
// stand for something (a parent, a state set) are then in their range.

void writeSummary(const StoreFacts& facts, ByteWriter& out);
bool readSummary(ByteReader in, StoreFacts& facts);

/// State sets and tracks; a track's life and number of intervals are not in it (the directory has them).
void writeTracks(const StoreFacts& facts, ByteWriter& out);
bool readTracks(ByteReader in, StoreFacts& facts);

void writeMergeIndex(const StoreFacts& facts, ByteWriter& out);
bool readMergeIndex(ByteReader in, StoreFacts& facts);

void writeDensity(const StoreFacts& facts, ByteWriter& out);
bool readDensity(ByteReader in, StoreFacts& facts);

void writeLosses(const StoreFacts& facts, ByteWriter& out);
bool readLosses(ByteReader in, StoreFacts& facts);

void writeStrings(const StoreFacts& facts, ByteWriter& out);
bool readStrings(ByteReader in, StoreFacts& facts);

bool readNumbers(ByteReader in, StoreFacts& facts); ///< Written as they are.

} // namespace helio
