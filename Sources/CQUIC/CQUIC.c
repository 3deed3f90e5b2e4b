#include "CQUIC.h"
